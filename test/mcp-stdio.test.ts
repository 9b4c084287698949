import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import type { Client } from '@modelcontextprotocol/client'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mostCharacters } from '../packages/http/src/mcp/memory-part.ts'
import { annotationsOf } from '../packages/http/src/mcp/tool.ts'
import { toolsFor } from '../packages/http/src/mcp/tools.ts'
import { happened } from './worlds/happened.ts'
import { startListener } from './worlds/listener.ts'
import { eras, overStdio, type Revision, refusal, told } from './worlds/mcp.ts'
import { agentOf, type RunningServer, serverProgram, startServer } from './worlds/server.ts'

const home = mkdtempSync(join(tmpdir(), 'mcp-'))
const folder = mkdtempSync(join(tmpdir(), 'mcp-memories-'))
let server: RunningServer
beforeAll(async () => {
  server = await startServer({ DATA_DIR: home })
})
afterAll(async () => {
  await server.end('SIGTERM')
  for (const path of [home, folder]) rmSync(path, { recursive: true })
})

const opened: (() => unknown)[] = []
afterEach(async () => {
  while (opened.length > 0) await opened.pop()?.()
})

const buyerKey = walletKeys[1] as `0x${string}`
const buyer = privateKeyToAddress(buyerKey)

/** Starts a session whose wallet is the agent's own, for the server's data folder is at hand. */
const asAgent = (revision?: Revision, more = {}) =>
  session({ HEIRLOOM_URL: server.url, DATA_DIR: home, ...more }, revision)
/** Starts a session with a wallet of its own. */
const asBuyer = (revision?: Revision) =>
  session({ HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: buyerKey }, revision)

async function session(
  environment: Readonly<Record<string, string>>,
  revision?: Revision,
): Promise<Client> {
  const { client } = await overStdio(environment, revision)
  opened.push(() => client.close())
  return client
}

const memory = { data: { learned: ['short answers'] }, metadata: { category: 'support' } }
const terms = { price: '700', rentalPricePerDay: '30', forkPrice: '500', forkRoyaltyBps: 1000 }
const text = (data: object) => JSON.stringify({ data, metadata: { category: 'research' } })

describe.each(eras)('over stdio, in %s', (era) => {
  test('tells every tool, as the table has it', async () => {
    const { tools } = await (await asAgent(era, { HEIRLOOM_FOLDER: folder })).listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolsFor('folder').map(({ name }) => name))
    for (const [at, { title, description, effect, input, output }] of toolsFor(
      'folder',
    ).entries()) {
      expect(tools[at]).toMatchObject({
        ...{ title, description, annotations: annotationsOf[effect] },
        inputSchema: JSON.parse(JSON.stringify(input)),
        outputSchema: JSON.parse(JSON.stringify(output)),
      })
    }
    const without = await (await asAgent(era)).listTools()
    expect(without.tools.map(({ name }) => name)).toEqual(toolsFor('owner').map(({ name }) => name))
  })

  test('sells a memory to another wallet, which opens, rents, forks and rewards', async () => {
    const [seller, other] = [await asAgent(era), await asBuyer(era)]
    const agent = agentOf(home).address
    const card = { title: `A calm agent of ${era}`, preview: 'p'.repeat(4000) }

    const minted = await told<Ids>(seller, 'memory_snapshot', { ...memory, card })
    const { tokenId = '' } = minted
    await told(seller, 'market_list', { tokenId, ...terms })
    await happened(server.url, tokenId, 'listing')
    const search = { search: `calm agent of ${era}` }
    const found = await told<Page>(other, 'market_search', { offer: 'sale,rent', ...search })
    expect(found.items).toMatchObject([{ tokenId, card: { title: card.title } }])
    expect(JSON.stringify(found)).not.toContain(card.preview)
    expect(await told(other, 'catalog_search', search)).toEqual(found)
    expect(await told(other, 'catalog_get', { tokenId })).toMatchObject({ owner: agent, card })
    expect(await told(other, 'market_listing', { tokenId })).toMatchObject(terms)

    const rent = { tokenId, durationDays: 2, maxPrice: '60' }
    await told(other, 'market_rent', rent)
    await happened(server.url, tokenId, 'rental')
    const rentals = await told<Page>(other, 'memory_rentals', { tokenId })
    expect(rentals.items).toMatchObject([{ renter: buyer }])
    const child = await told<Ids>(other, 'memory_fork', { tokenId, maxPrice: '500' })
    await told(other, 'market_buy', { tokenId, maxPrice: '700' })
    await told(other, 'market_royalty', { tokenId, amount: '9' })
    await happened(server.url, tokenId, 'royalty')

    const { salt, ...memoryTold } = await told(other, 'memory_download', { tokenId })
    const document = JSON.stringify(memory)
    expect(memoryTold).toEqual({
      ...{ tokenId, contentHash: minted.contentHash, bytes: document.length },
      ...{ ...memory, next: null },
    })
    const verified = await told(other, 'memory_verify', { tokenId, salt, document })
    expect(verified).toMatchObject({ matches: true, computed: minted.contentHash })
    const altered = await told(other, 'memory_verify', { tokenId, salt, document: `${document} ` })
    expect(altered.matches).toBe(false)
    expect(await told(other, 'memory_integrity', { tokenId })).toMatchObject({ matches: true })
    expect(await told(other, 'memory_info', { tokenId })).toMatchObject({ creator: agent })
    expect(await told(other, 'memory_lineage', { tokenId: child.tokenId })).toMatchObject({
      ancestors: [{ token: { tokenId, owner: buyer } }],
      token: { owner: buyer, royaltyBps: 1000 },
    })
    const history = await told<Page>(other, 'memory_history', { tokenId, limit: '100' })
    expect(history.items.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['mint', 'card', 'listing', 'rental', 'fork', 'sale', 'royalty']),
    )
    const earned = await told<Record<string, string>>(other, 'account_earnings', { address: agent })
    for (const kind of ['sales', 'rentals', 'forks'])
      expect(BigInt(earned[kind] ?? 0)).toBeGreaterThan(0n)
    expect(await told(other, 'wallet_info')).toMatchObject({ address: agent, session: buyer })
    expect(await told(other, 'deployment_info')).toMatchObject({ chainId: 31337, agent })

    expect(await refusal(seller, 'memory_download', { tokenId })).toMatchObject({
      code: 'access/denied',
      facts: { tokenId, account: agent },
      sentence: `${agent} is neither the owner nor an active renter of token ${tokenId}.`,
      retryable: false,
    })
    expect(await refusal(other, 'market_buy', { tokenId, maxPrice: '700' })).toMatchObject({
      code: 'listing/not-for-sale',
    })
  })

  test('pays no more than it was told to', async () => {
    const client = await asAgent(era)
    const { tokenId } = await told(client, 'memory_snapshot', memory)
    await told(client, 'market_list', { tokenId, ...terms })
    for (const [name, args, price] of [
      ['market_buy', { maxPrice: '699' }, '700'],
      ['market_rent', { maxPrice: '59', durationDays: 2 }, '60'],
      ['memory_fork', { maxPrice: '499' }, '500'],
    ] as const) {
      expect(await refusal(client, name, { tokenId, ...args })).toMatchObject({
        code: 'listing/over-max-price',
        facts: { tokenId, price, maxPrice: args.maxPrice },
      })
    }
  })

  test('makes a write once under a key', async () => {
    const client = await asAgent(era)
    const args = { ...memory, idempotencyKey: `once-${era}` }
    const first = await told(client, 'memory_snapshot', args)
    expect(await told(client, 'memory_snapshot', args)).toEqual(first)
    const other = { ...args, data: {} }
    expect((await refusal(client, 'memory_snapshot', other)).code).toBe('idempotency/key-reused')
  })

  test('says clearly what is wrong with arguments, and does nothing', async () => {
    const client = await asAgent(era)
    for (const [name, args, problem] of [
      ['market_buy', { tokenId: '1' }, "must have required property 'maxPrice'"],
      ['market_buy', { tokenId: '01', maxPrice: '1' }, 'tokenId must be a decimal string, without'],
      ['market_buy', { tokenId: 1, maxPrice: '1' }, 'tokenId must be string'],
      [
        'market_buy',
        { tokenId: '1', maxPrice: '1', max: 1 },
        'must NOT have additional properties',
      ],
      ['market_rent', { tokenId: '1', maxPrice: '1', durationDays: 366 }, 'must be <= 365'],
      ['memory_snapshot', { data: {}, metadata: {} }, "required property 'category'"],
    ] as const) {
      const { content, isError } = await client.callTool({ name, arguments: args })
      expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining(problem)])
    }
  })

  test('gives memories and lineages as resources', async () => {
    const client = await asAgent(era)
    const { tokenId } = await told<{ tokenId: string }>(client, 'memory_snapshot', {
      ...memory,
      card: { title: 'Seen' },
    })
    await happened(server.url, tokenId, 'card')
    const uri = `heirloom://token/${tokenId}`
    expect((await client.listResources()).resources).toContainEqual(
      expect.objectContaining({ uri, title: 'Seen' }),
    )
    const [{ text: token = '' } = {}] = await contentsOf(client, uri)
    expect(JSON.parse(token)).toEqual(await told(client, 'catalog_get', { tokenId }))
    const [{ text: lineage = '' } = {}] = await contentsOf(client, `${uri}/lineage`)
    expect(JSON.parse(lineage)).toEqual(await told(client, 'memory_lineage', { tokenId }))
    const { resourceTemplates } = await client.listResourceTemplates()
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate)
    expect(templates).toEqual(['heirloom://token/{id}', 'heirloom://token/{id}/lineage'])
    for (const template of templates) {
      const ref = { type: 'ref/resource', uri: template } as const
      const { completion } = await client.complete({
        ref,
        argument: { name: 'id', value: tokenId },
      })
      expect(completion.values).toContain(tokenId)
    }
    for (const missing of ['heirloom://token/999999', 'heirloom://elsewhere/1']) {
      await expect(client.readResource({ uri: missing })).rejects.toThrow('not found')
    }
    await expect(client.readResource({ uri: 'heirloom://token/one' })).rejects.toThrow('token id')
  })
})

type Ids = { readonly tokenId: string; readonly contentHash: string }
type Page = { readonly items: readonly Record<string, unknown>[]; readonly next: string | null }

async function contentsOf(client: Client, uri: string) {
  return (await client.readResource({ uri })).contents as { readonly text: string }[]
}

test.each(['2025-06-18', '2025-03-26', '2024-11-05'] as const)(
  'speaks the revision %s too',
  async (revision) => {
    const client = await asAgent(revision)
    expect((await client.listTools()).tools).toHaveLength(toolsFor('owner').length)
    const { tokenId } = await told(client, 'memory_snapshot', memory)
    expect(await told(client, 'memory_download', { tokenId })).toMatchObject(memory)
    expect((await refusal(client, 'memory_info', { tokenId: '0' })).code).toBe('token/not-found')
  },
)

test('opens a long memory part by part, every character of it', async () => {
  const client = await asAgent()
  const data = { text: 'long, 𝄞 '.repeat(12_000) }
  const document = text(data)
  const args = { data, metadata: { category: 'research' } }
  const { tokenId } = await told(client, 'memory_snapshot', args)
  const first = await told(client, 'memory_download', { tokenId })
  expect(first).toMatchObject({ bytes: Buffer.byteLength(document), next: 0 })
  expect(JSON.stringify(first).length).toBeLessThan(1000)
  let read = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const part: { readonly text: string; readonly next: number | null } = await told(
      client,
      'memory_download',
      { tokenId, offset },
    )
    expect(part.text.length).toBeLessThanOrEqual(mostCharacters)
    read += part.text
    offset = part.next
  }
  expect(read).toBe(document)
})

test('saves and makes memories as files of one folder, byte for byte', async () => {
  const client = await asAgent(undefined, { HEIRLOOM_FOLDER: folder })
  const document =
    '{ "data": {"big": 12345678901234567890, "n": 1.0}, "metadata":{"category":"x"} }'
  writeFileSync(join(folder, 'first.json'), document)
  const { tokenId } = await told(client, 'memory_snapshot_file', { path: 'first.json' })
  const saved = await told(client, 'memory_save', { tokenId, path: 'second.json' })
  const kept = readFileSync(join(folder, 'second.json'), 'utf8')
  expect(kept).toBe('{"data":{"big": 12345678901234567890, "n": 1.0},"metadata":{"category":"x"}}')
  const check = (more: object) => told(client, 'memory_verify_file', { tokenId, ...more })
  expect(await check({ path: 'second.json' })).toMatchObject({ matches: true })
  expect(await check({ path: 'second.json', salt: saved.salt })).toMatchObject({ matches: true })
  writeFileSync(join(folder, 'third.json'), `${kept}\n`)
  expect(await check({ path: 'third.json' })).toMatchObject({ matches: false })

  const outside = { path: '../stolen.json' }
  for (const name of ['memory_snapshot_file', 'memory_verify_file', 'memory_save']) {
    const args = name === 'memory_snapshot_file' ? outside : { tokenId, ...outside }
    expect(await refusal(client, name, args)).toMatchObject({
      code: 'request/malformed',
      sentence: 'path must stay inside the folder of memories.',
    })
  }
  expect(await refusal(client, 'memory_save', { tokenId, path: 'second.json' })).toMatchObject({
    sentence: 'path must not exist yet, for files are never replaced.',
  })
})

test('takes no secrets into a memory or its card, unless it is told to', async () => {
  const client = await asAgent(undefined, { HEIRLOOM_FOLDER: folder })
  const key = `0x${'4f3c2a1b'.repeat(8)}`
  const secret = { data: { private_key: key }, metadata: { category: 'x' } }
  const shown = { ...memory, card: { title: 'Open', preview: JSON.stringify(secret.data) } }
  writeFileSync(join(folder, 'secret.json'), JSON.stringify(secret))
  for (const [name, args] of [
    ['memory_snapshot', secret],
    ['memory_snapshot', shown],
    ['memory_snapshot_file', { path: 'secret.json' }],
  ] as const) {
    const { code, facts, sentence } = await refusal(client, name, args)
    expect([code, facts.count]).toEqual(['import/secrets-found', 1])
    expect(sentence).not.toContain(key)
    const redacted = await told(client, name, { ...args, secrets: 'redact' })
    const { tokenId } = redacted
    const opened = await told(client, 'memory_download', { tokenId })
    await happened(server.url, `${tokenId}`, 'mint')
    const token = await told(client, 'catalog_get', { tokenId })
    expect(JSON.stringify([opened, token])).not.toContain(key)
    expect(JSON.stringify([opened, token])).toContain('(redacted-1)')
    const kept = await told(client, name, { ...args, secrets: 'keep' })
    if (args !== shown) {
      const whole = await told(client, 'memory_download', { tokenId: kept.tokenId })
      expect(whole).toMatchObject(secret)
    }
  }
})

test('tells the limits of what may be spent, and what goes over them', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mcp-limits-'))
  const limits = { MAX_SPEND_PER_CALL: '10000000000000000', MAX_SPEND_PER_DAY: '15000000000000000' }
  const strict = await startServer({ DATA_DIR, ...limits })
  opened.push(async () => {
    await strict.end('SIGTERM')
    rmSync(DATA_DIR, { recursive: true })
  })
  const client = await session({ HEIRLOOM_URL: strict.url, DATA_DIR })
  const { tokenId } = await told(client, 'memory_snapshot', memory)
  expect(await told(client, 'wallet_info')).toMatchObject({
    maxSpendPerCall: limits.MAX_SPEND_PER_CALL,
    maxSpendPerDay: limits.MAX_SPEND_PER_DAY,
  })
  const pay = (amount: string) => ['market_royalty', { tokenId, amount }] as const
  expect(await refusal(client, ...pay(`${BigInt(limits.MAX_SPEND_PER_CALL) + 1n}`))).toMatchObject({
    code: 'wallet/call-limit',
    facts: { limit: limits.MAX_SPEND_PER_CALL, needed: expect.stringMatching(/^\d+$/) },
  })
  await told(client, ...pay('8000000000000000'))
  expect(await refusal(client, ...pay('8000000000000001'))).toMatchObject({
    code: 'wallet/day-limit',
    facts: { limit: limits.MAX_SPEND_PER_DAY, spent: expect.stringMatching(/^\d+$/) },
  })
})

test('keeps the private key to itself', async () => {
  const { url: HEIRLOOM_URL, heard, close } = await startListener(server.url)
  opened.push(close)
  const client = await session({ HEIRLOOM_URL, HEIRLOOM_PRIVATE_KEY: buyerKey })
  const { tokenId } = await told(client, 'memory_snapshot', { ...memory, recipient: buyer })
  expect(await told(client, 'memory_download', { tokenId })).toMatchObject(memory)
  const answers = JSON.stringify(
    await Promise.all(
      toolsFor('owner').map(({ name }) => client.callTool({ name, arguments: { tokenId } })),
    ),
  )
  expect(heard.length).toBeGreaterThan(10)
  for (const key of [buyerKey.slice(2), buyerKey.slice(2).toUpperCase()]) {
    expect(heard.join()).not.toContain(key)
    expect(answers).not.toContain(key)
  }
  expect(heard.join()).toMatch(/x-wallet-signature/i)
})

test('opens nothing without a wallet, and says what to do', async () => {
  const client = await session({ HEIRLOOM_URL: server.url, DATA_DIR: folder })
  expect(await told(client, 'wallet_info')).toMatchObject({ session: null })
  const { code, sentence } = await refusal(client, 'memory_download', { tokenId: '1' })
  expect([code, sentence]).toEqual([
    'client/no-account',
    expect.stringContaining('HEIRLOOM_PRIVATE_KEY'),
  ])
})

test('serves two clients of one server at once', async () => {
  const clients = [await asAgent(), await asBuyer(), await asAgent('2025-11-25')]
  const minted = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: 4 }, () => told(client, 'memory_snapshot', memory)),
    ),
  )
  expect(new Set(minted.map(({ tokenId }) => tokenId)).size).toBe(12)
})

test('ends by itself when its input does, once it has answered', () => {
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`
  const options = { env: { PATH: process.env.PATH }, encoding: 'utf8', timeout: 60_000 } as const
  const program = [serverProgram, 'mcp']
  const { status, stdout } = spawnSync(process.execPath, program, { ...options, input })
  expect([status, JSON.parse(stdout)]).toEqual([0, { jsonrpc: '2.0', id: 1, result: {} }])
})

test('ends with its client, also in the middle of a call', async () => {
  const { client, transport } = await overStdio({ HEIRLOOM_URL: server.url, DATA_DIR: home })
  const { pid } = transport
  expect(isAlive(pid)).toBe(true)
  const call = client
    .callTool({ name: 'memory_snapshot', arguments: memory })
    .catch(() => undefined)
  await client.close()
  await call
  expect(isAlive(pid)).toBe(false)
})

function isAlive(pid: number | null | undefined): boolean {
  try {
    return process.kill(pid ?? 0, 0)
  } catch {
    return false
  }
}

test('tells of a server that is killed as something to try again', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mcp-killed-'))
  opened.push(() => rmSync(DATA_DIR, { recursive: true }))
  const doomed = await startServer({ DATA_DIR })
  const client = await session({ HEIRLOOM_URL: doomed.url, DATA_DIR })
  const { tokenId } = await told(client, 'memory_snapshot', memory)
  await doomed.end('SIGKILL')
  for (const [name, args] of [
    ['memory_info', { tokenId }],
    ['market_royalty', { tokenId, amount: '1' }],
  ] as const) {
    expect(await refusal(client, name, args)).toMatchObject({
      code: 'client/unreachable',
      retryable: true,
    })
  }
  await expect(client.listResources()).rejects.toThrow()
})

test.each([
  ['HEIRLOOM_URL', 'elsewhere', 'HEIRLOOM_URL must be an http address.'],
  ['HEIRLOOM_PRIVATE_KEY', '0x12', 'HEIRLOOM_PRIVATE_KEY must be 32 bytes in hexadecimal.'],
  ['HEIRLOOM_FOLDER', '/nowhere', 'HEIRLOOM_FOLDER must be a folder.'],
])('does not start with a wrong %s', async (name, value, sentence) => {
  const env = { PATH: process.env.PATH, [name]: value }
  const { status, stdout, stderr } = spawnSync(process.execPath, [serverProgram, 'mcp'], {
    env,
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([1, '', `${sentence}\n`])
})
