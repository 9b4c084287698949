import { type Client, type ClientOptions, createClient } from '@heirloom/http/client'
import { beforeAll, expect, test } from 'vitest'
import { interceptingProxy, type Reply } from '../../packages/http/test/intercepting-proxy.ts'
import { agentOf } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'

const server = sharedServer()
let account: NonNullable<ClientOptions['account']>
let client: Client
beforeAll(async () => {
  account = agentOf(server.home)
  client = createClient({ url: server.url, account })
  for (const mood of ['calm', 'sour']) {
    await client.snapshot({ data: { mood }, metadata: { category: 'research' } })
  }
})

/** A client that believes the chain alone. */
async function doubting(url = server.url, rpcUrl = `${server.url}/rpc`): Promise<Client> {
  const { registry } = await client.deployment()
  return createClient({ url, account, proof: { rpcUrl, registry }, retries: 0 })
}

test('opens what the chain records', async () => {
  const { contentHash } = await client.info(2)
  const opened = await (await doubting()).download(2)
  expect(opened).toMatchObject({ data: { mood: 'sour' }, contentHash })
})

test('a server that tells one lie everywhere is believed by its own word, not by the chain', async () => {
  await using liar = await interceptingProxy(server.url)
  const answers = new Map<string, Reply>()
  liar.meddle(async ({ path }, forward) => {
    const reply = await forward()
    answers.set(path, reply)
    return reply
  })
  const believing = createClient({ url: liar.url, account })
  await believing.download(1)
  const [opened, info] = [answers.get('/api/memory/1'), answers.get('/api/memory/1/info')]
  const forged = { ...info, body: String(info?.body).replace('"tokenId":"1"', '"tokenId":"2"') }
  liar.meddle(async ({ path }) => (path.endsWith('info') ? forged : opened) as Reply)
  await expect(believing.download(2)).resolves.toMatchObject({ data: { mood: 'calm' } })
  const refused = { code: 'client/not-verified', facts: { tokenId: '2' } }
  await expect((await doubting(liar.url)).download(2)).rejects.toMatchObject(refused)
  // A token that does not exist, the chain does not know either.
  await expect((await doubting(liar.url)).download(99)).rejects.toMatchObject({
    code: 'client/not-verified',
    facts: { tokenId: '99', problem: 'the chain does not know it' },
  })
})

test('without a word of the chain nothing is opened', async () => {
  await using node = await interceptingProxy(`${server.url}/rpc`)
  const doubter = await doubting(server.url, node.url)
  const refused = async (code: string) =>
    expect(doubter.download(1)).rejects.toMatchObject({ code })
  node.meddle(async () => undefined)
  await expect(doubter.download(1)).rejects.toMatchObject({
    code: 'client/unreachable',
    message: 'The node did not answer POST.',
  })
  const say = (reply: object): Reply => ({ status: 200, headers: {}, body: JSON.stringify(reply) })
  for (const reply of [{}, { result: '0x' }, { result: 7 }, { error: { code: -32000 } }, []]) {
    node.meddle(async () => say(reply))
    await refused('client/bad-answer')
  }
  // What some nodes say of a revert.
  const data = `0x6caeb130${'1'.padStart(64, '0')}`
  for (const error of [{ code: 3 }, { code: -32000, data }]) {
    node.meddle(async () => say({ error }))
    await refused('client/not-verified')
  }
})

test('the node is told no key of the server', async () => {
  await using node = await interceptingProxy(server.url)
  const { registry } = await client.deployment()
  const proof = { rpcUrl: `${node.url}/rpc`, registry }
  const keyed = createClient({ url: server.url, account, apiKey: 'a-key-of-the-server', proof })
  await keyed.download(1)
  expect(node.asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
})

test('a registry that is none proves nothing', async () => {
  const rpcUrl = `${server.url}/rpc`
  const proof = { rpcUrl, registry: account.address }
  const astray = createClient({ url: server.url, account, proof })
  await expect(astray.download(1)).rejects.toMatchObject({ code: 'client/bad-answer' })
})
