import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Child, startChild } from '../../bench/parts/child.ts'
import { slowestQueries } from '../../bench/parts/market-queries.ts'
import type { MarketRequest, MarketResponse } from '../../bench/parts/market-server.ts'
import { yardstick } from '../harness/yardstick.ts'
import { times } from '../tier.ts'

/** `MARKET_TOKENS=60000` is as many as in `pnpm bench L1`; indexing them takes minutes. */
const tokens = Number(process.env.MARKET_TOKENS ?? times(4_000, 12_000))

/** The number of concurrent clients, and of the requests that each sends in sequence. */
const [clients, requests] = [8, 3]

let server: Child<MarketRequest, MarketResponse>
let url: string
const folder = mkdtempSync(join(tmpdir(), 'market-'))

beforeAll(async () => {
  server = await startChild('market-server.ts')
  const opened = await server.ask({ kind: 'open', folder, tokens })
  url = 'url' in opened ? opened.url : ''
  await fetch(`${url}/api/memory?search=memory`)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

type Answer = {
  readonly status: number
  readonly code?: string
  readonly retryAfter: string | null
}

async function request(path: string): Promise<Answer> {
  const reply = await fetch(`${url}${path}`)
  const body = (await reply.json()) as { code?: string }
  const retryAfter = reply.headers.get('retry-after')
  const { status } = reply
  return status === 200 ? { status, retryAfter } : { status, retryAfter, code: `${body.code}` }
}

const client = async (path: string) => {
  const answers: Answer[] = []
  for (let count = 0; count < requests; count++) answers.push(await request(path))
  return answers
}

// Wall-clock time says little on a busy machine. The test measures the time that the event loop is
// busy, which is what a query costs all other clients. Before queries ran in a worker, a search took
// two seconds of it.
describe.each(Object.entries(slowestQueries))('eight clients that request %s', (_, path) => {
  test('are answered or refused, and leave the event loop to the others', async () => {
    await server.ask({ kind: 'busy' })
    const all = (await Promise.all(Array.from({ length: clients }, () => client(path)))).flat()
    const busy = await server.ask({ kind: 'busy' })
    for (const { status, code, retryAfter } of all) {
      if (status === 200) continue
      expect(['catalogue/busy', 'catalogue/too-costly']).toContain(code)
      expect([status, retryAfter]).toEqual([503, '1'])
    }
    expect('loop' in busy && busy.loop / all.length).toBeLessThan(4 * (await yardstick()))
  })
})
