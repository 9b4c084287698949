import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Child, startChild } from '../../bench/parts/child.ts'
import { slowestQueries } from '../../bench/parts/market-queries.ts'
import type { MarketRequest, MarketResponse } from '../../bench/parts/market-server.ts'

/** `MARKET_TOKENS=60000` asks for as many as `pnpm bench L1` has; they take minutes to be read. */
const tokens = Number(process.env.MARKET_TOKENS ?? 12_000)

/** How many clients ask at once, and how often each, one right after the other. */
const [clients, times] = [8, 3]

let server: Child<MarketRequest, MarketResponse>
let url: string
const folder = mkdtempSync(join(tmpdir(), 'market-'))

beforeAll(async () => {
  server = await startChild('market-server.ts')
  const opened = await server.ask({ kind: 'open', folder, tokens })
  url = 'url' in opened ? opened.url : ''
  await fetch(`${url}/api/memory?search=memory`)
}, 600_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

type Answer = {
  readonly status: number
  readonly code?: string
  readonly retryAfter: string | null
}

async function ask(path: string): Promise<Answer> {
  const reply = await fetch(`${url}${path}`)
  const body = (await reply.json()) as { code?: string }
  const retryAfter = reply.headers.get('retry-after')
  const { status } = reply
  return status === 200 ? { status, retryAfter } : { status, retryAfter, code: `${body.code}` }
}

const client = async (path: string) => {
  const answers: Answer[] = []
  for (let time = 0; time < times; time++) answers.push(await ask(path))
  return answers
}

// A wall clock says little on a machine that does other things, too. What the event loop itself was
// busy with is what a question takes from everybody else: on the code that this was written for, a
// search took it for two seconds.
describe.each(Object.entries(slowestQueries))('eight clients that ask for %s', (_, path) => {
  test('are answered or refused, and leave the event loop to the others', async () => {
    await server.ask({ kind: 'busy' })
    const all = (await Promise.all(Array.from({ length: clients }, () => client(path)))).flat()
    const busy = await server.ask({ kind: 'busy' })
    for (const { status, code, retryAfter } of all) {
      if (status === 200) continue
      expect(['catalogue/busy', 'catalogue/too-costly']).toContain(code)
      expect([status, retryAfter]).toEqual([503, '1'])
    }
    expect('loop' in busy && busy.loop / all.length).toBeLessThan(20)
  }, 60_000)
})
