import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { post, type RunningServer, startServer } from '../harness/process/server.ts'
import { longestWait, times } from '../tier.ts'

/** `CRASH_ROUNDS` sets the number of kills. */
const rounds = Number(process.env.CRASH_ROUNDS ?? times(1, 4))

/** A client that saves to one name, and the tokens that it got an answer for. */
type Saver = { readonly name: number; readonly acknowledged: string[]; last: string }

type Reply = { readonly tokenId?: string; readonly code?: string } & {
  readonly facts?: { readonly tokenId: string }
}

/** Saves one version after another until the server is gone. */
async function saveOn({ url }: RunningServer, saver: Saver): Promise<void> {
  for (let turn = 0; ; turn++) {
    // Long ones are in parts, which the versions share.
    const thought = 'z'.repeat(turn % 4 === 3 ? 200_000 : 50)
    const data = { by: saver.name, turn, thought }
    const reply = await save(url, saver, data).catch(() => undefined)
    if (reply === undefined) return
    note(saver, ...reply)
  }
}

/** Saves after the version that the client saw last. */
async function save(url: string, { last }: Saver, data: object) {
  const document = { data, metadata: { category: 'research' } }
  const body = JSON.stringify({ ...document, name: 'ada', after: last })
  const reply = await post(url, '/api/memory/snapshot', body)
  return [reply.status, (await reply.json()) as Reply] as const
}

function note(saver: Saver, status: number, { tokenId = '', code, facts }: Reply): void {
  if (status === 201) {
    saver.acknowledged.push(tokenId)
    saver.last = tokenId
    return
  }
  expect([status, code]).toEqual([409, 'name/moved'])
  saver.last = facts?.tokenId ?? ''
}

const minus = (some: readonly string[], others: readonly string[]) =>
  some.filter((it) => !others.includes(it))

/** Reads all pages of a list. */
async function readAll(url: string, path: string): Promise<readonly Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = []
  for (let query = 'limit=50'; ; ) {
    const reply = await fetch(`${url}${path}?${query}`)
    expect([path, reply.status]).toEqual([path, 200])
    const page = (await reply.json()) as { items: Record<string, unknown>[]; next?: string | null }
    items.push(...page.items)
    if (page.next === null || page.next === undefined) return items
    query = `limit=50&after=${page.next}`
  }
}

/** Expects that the log has each token that was minted once, and those of each client in their order. */
async function expectWholeLog({ url }: RunningServer, savers: readonly Saver[]): Promise<number> {
  const idsOf = async (path: string) =>
    (await readAll(url, path)).map(({ tokenId }) => `${tokenId}`).toSorted()
  const hasAll = async () => {
    // A mint that was under way is decided by a read of the name.
    const { status } = await fetch(`${url}/api/names/ada`)
    const logged = status === 404 ? [] : await idsOf('/api/names/ada/versions')
    const minted = await idsOf('/api/memory')
    return { notMinted: minus(logged, minted), notLogged: minus(minted, logged), status }
  }
  const all = { notMinted: [], notLogged: [] }
  await expect.poll(hasAll).toMatchObject(all)
  if ((await hasAll()).status === 404) return 0
  const log = (await readAll(url, '/api/names/ada/versions')).toReversed()
  expect(log.map(({ version }) => version)).toEqual(log.map((_, at) => at + 1))
  const tokens = log.map(({ tokenId }) => `${tokenId}`)
  expect(new Set(tokens).size).toBe(tokens.length)
  for (const { acknowledged } of savers) {
    expect(tokens.filter((it) => acknowledged.includes(it))).toEqual(acknowledged)
  }
  return log.length
}

test('a name has every acknowledged version once, in order, over kills at random moments', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const savers: readonly Saver[] = [0, 1, 2].map((name) => ({ name, acknowledged: [], last: '0' }))
  const all = fc.array(fc.nat(1000), { minLength: rounds, maxLength: rounds })
  const [delays = []] = fc.sample(all, { seed: Number(process.env.FC_SEED ?? 1), numRuns: 1 })
  for (const delay of delays) {
    const server = await startServer({ DATA_DIR: folder })
    try {
      await expectWholeLog(server, savers)
      const count = () => savers.reduce((sum, { acknowledged: { length } }) => sum + length, 0)
      const goal = count() + 2
      const killed = vi
        .waitUntil(() => count() >= goal, { interval: 5, timeout: longestWait })
        .then(() => pause(delay))
        .then(() => server.end('SIGKILL'))
      await Promise.all([killed, ...savers.map((saver) => saveOn(server, saver))])
    } finally {
      await server.end('SIGKILL')
    }
  }
  const server = await startServer({ DATA_DIR: folder })
  const versions = await expectWholeLog(server, savers).finally(() => server.end('SIGTERM'))
  const acknowledged = savers.flatMap((it) => it.acknowledged)
  expect(acknowledged.length).toBeGreaterThan(rounds)
  process.stdout.write(
    `${rounds} kills, ${acknowledged.length} versions acknowledged of ${versions}, none lost\n`,
  )
})
