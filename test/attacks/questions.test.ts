import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  agent,
  openHarness,
  other,
  proofOf,
  rentToken,
  type ServerHarness,
  secondsOf,
} from '../../packages/http/test/server-harness.ts'
import { eraserAt } from '../harness/eraser.ts'
import { agentOf, hostServer, post, proofHeaders } from '../harness/process/server.ts'

const day = 86_400_000
const question = 'q=paints%20at%20sunrise&each=item'

type Found = {
  readonly code?: string
  readonly matches?: readonly { readonly pointer: string; readonly match: string }[]
}

/** Asks a memory with a proof; returns the code of the failure, or the first answer. */
async function ask({ server }: ServerHarness, id: string, headers: object): Promise<string> {
  const url = `/api/memory/${id}/search?${question}`
  const { code, matches }: Found = (await server.inject({ url, headers: { ...headers } })).json()
  return code ?? `${matches?.[0]?.pointer}`
}

test('a rental that ends between two questions ends the answers, though the index is there', async () => {
  const harness = openHarness()
  onTestFinished(() => harness.server.close())
  const id = await rentToken(harness)
  const asRenter = async () => ask(harness, id, await proofOf(other, id, secondsOf(harness)))
  expect(await asRenter()).not.toBe('access/denied')
  harness.clock.advance(day)
  expect(await asRenter()).toBe('access/denied')
  expect(await ask(harness, id, await proofOf(agent, id, secondsOf(harness)))).not.toBe(
    'access/denied',
  )
})

test('a question of as many characters as may be is answered, in any script', async () => {
  const home = mkdtempSync(join(tmpdir(), 'questions-'))
  const server = await hostServer({ DATA_DIR: home })
  onTestFinished(async () => {
    await server.end()
    rmSync(home, { recursive: true })
  })
  const body = { data: { notes: ['湖の夜明け', '冬の山'] }, metadata: { category: 'research' } }
  const made = await post(server.url, '/api/memory/snapshot', JSON.stringify(body))
  const { tokenId: id } = (await made.json()) as { tokenId: string }
  const headers = await proofHeaders(agentOf(home), id)
  const search = async (q: string) => {
    const query = new URLSearchParams({ q, each: 'item' })
    const response = await fetch(`${server.url}/api/memory/${id}/search?${query}`, { headers })
    return (await response.json()) as Found
  }
  expect((await search(`冬の山${'語'.repeat(3_997)}`)).matches?.[0]?.match).toBe('冬の山')
  expect((await search('語'.repeat(4_001))).code).toBe('request/malformed')
})

test('a memory that is erased answers nothing more, and no word of it was stored', async () => {
  const home = mkdtempSync(join(tmpdir(), 'questions-'))
  const server = await hostServer({ DATA_DIR: home })
  onTestFinished(async () => {
    await server.end()
    rmSync(home, { recursive: true })
  })
  const secret = `planted${randomBytes(8).toString('hex')}`
  const notes = [{ text: `Ada painted ${secret} at sunrise.` }]
  const body = { data: { notes }, metadata: { category: 'research' } }
  const made = await post(server.url, '/api/memory/snapshot', JSON.stringify(body))
  const { tokenId: id } = (await made.json()) as { tokenId: string }
  const search = async (): Promise<Found> => {
    const url = `${server.url}/api/memory/${id}/search?${question}`
    const response = await fetch(url, { headers: await proofHeaders(agentOf(home), id) })
    return (await response.json()) as Found
  }
  expect((await search()).matches?.[0]?.match).toContain(secret)
  for (const file of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const stored = readFileSync(join(file.parentPath, file.name))
    expect(stored.includes(secret), file.name).toBe(false)
  }
  const { erase } = await eraserAt(server.url)
  expect((await erase(agentOf(home), id)).status).toBe(200)
  expect((await search()).code).toBe('memory/erased')
})
