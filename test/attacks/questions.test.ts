import { spawnSync } from 'node:child_process'
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
import { longestWait, times } from '../tier.ts'

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
  const save = async (nth: number) => {
    const notes = [{ text: `Ada painted ${secret}x${nth} at sunrise.` }]
    const body = { data: { notes }, metadata: { category: 'research' } }
    const made = await post(server.url, '/api/memory/snapshot', JSON.stringify(body))
    return ((await made.json()) as { tokenId: string }).tokenId
  }
  const search = async (id: string): Promise<Found> => {
    const url = `${server.url}/api/memory/${id}/search?${question}`
    const response = await fetch(url, { headers: await proofHeaders(agentOf(home), id) })
    return (await response.json()) as Found
  }
  const plant = async (nth: number) => {
    const id = await save(nth)
    expect((await search(id)).matches?.[0]?.match).toContain(`${secret}x${nth} `)
    return id
  }
  const left = Array.from({ length: times(40, 10_000) })
  let id = ''
  while (left.length > 0)
    [id = ''] = await Promise.all(left.splice(0, 8).map((_, at) => plant(left.length + at)))
  for (const file of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const stored = readFileSync(join(file.parentPath, file.name))
    expect(stored.includes(secret), file.name).toBe(false)
  }
  const { erase } = await eraserAt(server.url)
  expect((await erase(agentOf(home), id)).status).toBe(200)
  expect((await search(id)).code).toBe('memory/erased')
})

/** Asks memories that take as much memory as they can, and prints the answers and the most KiB in use. */
const askHostile = `
const [recall, ...sources] = process.argv.slice(1)
const { answerFromIndex } = await import(recall)
const answered = []
for (const [nth, source] of sources.entries()) {
  const document = new TextEncoder().encode(new Function(source)())
  // A server has no strings left of the making of a memory.
  gc()
  const memory = { digest: '0x' + String(nth).padStart(64, '0'), length: document.length }
  const read = async () => document
  const question = { question: 'lake', most: 3, now: 1 }
  answered.push((await answerFromIndex({ ...memory, read }, question)) !== undefined)
}
console.log(JSON.stringify({ answered, most: process.resourceUsage().maxRSS }))
process.exit()
`

/** As many words of items as an index has, long numbers, and compounds that become longer. */
const hostile: readonly (readonly [source: string, isIndexed: boolean])[] = [
  [
    `const words = (at) => 'lake ' + Array.from({ length: 27 }, (_, nth) => (at % 97) + 'w' + nth).join(' ')
    return '{"data":[' + Array.from({ length: 400_000 }, (_, at) => '"' + words(at) + '"') + ']}'`,
    true,
  ],
  [`return '{"data":[' + '1111111111111111,'.repeat(3_900_000) + '1]}'`, false],
  [`return '{"data":{"text":"' + 'ﷺ é '.repeat(8_000_000) + '"}}'`, true],
]

test('memories made to take much room leave a server of 1 GiB alive', () => {
  const chosen = hostile.slice(0, times(2, hostile.length))
  const recall = join(import.meta.dirname, '../../packages/adapters/src/recall/recall-worker.ts')
  const sources = chosen.map(([source]) => source)
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '-e', `(async () => {${askHostile}})()`, recall, ...sources],
    { encoding: 'utf8', timeout: longestWait },
  )
  expect(status, stderr).toBe(0)
  const { answered, most } = JSON.parse(stdout) as { answered: boolean[]; most: number }
  expect(answered).toEqual(chosen.map(([, isIndexed]) => isIndexed))
  expect(most).toBeLessThan(2 ** 20)
})
