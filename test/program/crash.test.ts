import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assertDurable, crashRound, type ServerHistory } from '../harness/process/crash-round.ts'
import { startServer } from '../harness/process/server.ts'
import { times } from '../tier.ts'

/** `pnpm soak` runs fifty rounds. */
const rounds = Number(process.env.CRASH_ROUNDS ?? times(2, 6))

it('keeps every acknowledged memory over kills at random moments', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'))
  const history: ServerHistory = { acknowledged: [], blocks: [] }
  const [delays] = fc.sample(fc.array(fc.nat(1500), { minLength: rounds, maxLength: rounds }), {
    seed: Number(process.env.FC_SEED ?? 1),
    numRuns: 1,
  })
  for (const delay of delays ?? []) await crashRound(folder, history, delay)
  const server = await startServer({ DATA_DIR: folder })
  await assertDurable(server, folder, history)
  expect(await server.end('SIGTERM')).toBe(0)
  const ids = history.acknowledged.map(({ snapshot }) => snapshot.tokenId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThan(rounds)
  process.stdout.write(`${rounds} kills, ${ids.length} memories acknowledged, none lost\n`)
  rmSync(folder, { recursive: true })
})
