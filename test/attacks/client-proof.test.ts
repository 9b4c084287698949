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

/** Returns a client that verifies against the chain. */
async function createVerifyingClient(
  url = server.url,
  rpcUrl = `${server.url}/rpc`,
): Promise<Client> {
  const { registry } = await client.deployment()
  return createClient({ url, account, proof: { rpcUrl, registry }, retries: 0 })
}

test('opens a memory that matches the chain', async () => {
  const { contentHash } = await client.info(2)
  const opened = await (await createVerifyingClient()).download(2)
  expect(opened).toMatchObject({ data: { mood: 'sour' }, contentHash })
})

test('a consistent lie of a server passes without the chain, and fails with it', async () => {
  await using proxy = await interceptingProxy(server.url)
  const replies = new Map<string, Reply>()
  proxy.intercept(async ({ path }, forward) => {
    const reply = await forward()
    replies.set(path, reply)
    return reply
  })
  const trusting = createClient({ url: proxy.url, account })
  await trusting.download(1)
  const [opened, info] = [replies.get('/api/memory/1'), replies.get('/api/memory/1/info')]
  const forged = { ...info, body: String(info?.body).replace('"tokenId":"1"', '"tokenId":"2"') }
  proxy.intercept(async ({ path }) => (path.endsWith('info') ? forged : opened) as Reply)
  await expect(trusting.download(2)).resolves.toMatchObject({ data: { mood: 'calm' } })
  const refused = { code: 'client/not-verified', facts: { tokenId: '2' } }
  await expect((await createVerifyingClient(proxy.url)).download(2)).rejects.toMatchObject(refused)
  // The chain does not know this token.
  await expect((await createVerifyingClient(proxy.url)).download(99)).rejects.toMatchObject({
    code: 'client/not-verified',
    facts: { tokenId: '99', problem: 'the chain does not know it' },
  })
})

test('opens nothing without a valid response of the chain', async () => {
  await using node = await interceptingProxy(`${server.url}/rpc`)
  const verifying = await createVerifyingClient(server.url, node.url)
  const refused = async (code: string) =>
    expect(verifying.download(1)).rejects.toMatchObject({ code })
  node.intercept(async () => undefined)
  await expect(verifying.download(1)).rejects.toMatchObject({
    code: 'client/unreachable',
    message: 'The node did not answer POST.',
  })
  const replyWith = (reply: object): Reply => ({
    status: 200,
    headers: {},
    body: JSON.stringify(reply),
  })
  for (const reply of [{}, { result: '0x' }, { result: 7 }, { error: { code: -32000 } }, []]) {
    node.intercept(async () => replyWith(reply))
    await refused('client/bad-answer')
  }
  // Two ways in which nodes report a revert.
  const data = `0x6caeb130${'1'.padStart(64, '0')}`
  for (const error of [{ code: 3 }, { code: -32000, data }]) {
    node.intercept(async () => replyWith({ error }))
    await refused('client/not-verified')
  }
})

test('the API key of the server is not sent to the node', async () => {
  await using node = await interceptingProxy(server.url)
  const { registry } = await client.deployment()
  const proof = { rpcUrl: `${node.url}/rpc`, registry }
  const keyed = createClient({ url: server.url, account, apiKey: 'a-key-of-the-server', proof })
  await keyed.download(1)
  expect(node.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
})

test('rejects an address that is no registry', async () => {
  const rpcUrl = `${server.url}/rpc`
  const proof = { rpcUrl, registry: account.address }
  const misconfigured = createClient({ url: server.url, account, proof })
  await expect(misconfigured.download(1)).rejects.toMatchObject({ code: 'client/bad-answer' })
})
