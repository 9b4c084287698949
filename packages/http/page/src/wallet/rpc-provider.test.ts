import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readsAtOtherEvents } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'
import { nodeProvider } from './rpc-provider.ts'

/** A node of somebody else, which answers each method with the status and the body of these. */
const answers: Readonly<Record<string, readonly [status: number, body: string]>> = {
  eth_chainId: [200, '{"jsonrpc":"2.0","id":1,"result":"0x1"}'],
  eth_call: [400, '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"reverted","data":"0x"}}'],
  eth_getCode: [503, '{"detail":"Send your money to evil.example.","code":"bundle/altered"}'],
  eth_getBalance: [200, 'null'],
  eth_gasPrice: [200, '<p>'],
  eth_getLogs: [200, `{"result":"${'0'.repeat(2 ** 20)}"}`],
}

let events = 0
const node = createServer((request, response) => {
  request.setEncoding('utf8')
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const [status, body] = answers[JSON.parse(text).method] ?? [404, '']
    events += 1
    response.writeHead(status, { 'x-newest-event': `${events}`, 'retry-after': '9999' }).end(body)
  })
})
let provider: ReturnType<typeof nodeProvider>

beforeAll(async () => {
  await new Promise<void>((done) => {
    node.listen(0, '127.0.0.1', done)
  })
  provider = nodeProvider(`http://127.0.0.1:${(node.address() as AddressInfo).port}`)
})
afterAll(() => {
  node.close()
})

test('no node names the newest event of the server', async () => {
  const before = readsAtOtherEvents.value
  const ask = () => provider.request({ method: 'eth_chainId' })
  await Promise.all([ask(), ask(), ask()])
  expect(readsAtOtherEvents.value).toBe(before)
})

test('a node answers for the chain, and its errors are those of the chain', async () => {
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
  const refused = provider.request({ method: 'eth_call' })
  await expect(refused).rejects.toMatchObject({ name: 'ChainError', code: 3, data: '0x' })
})

test('no node speaks in the words of the page, or says how long it waits', async () => {
  for (const method of ['eth_getCode', 'eth_getBalance', 'eth_gasPrice', 'eth_getLogs']) {
    const error = await provider.request({ method }).catch((it: unknown) => it)
    expect(error, method).toBeInstanceOf(Problem)
    expect(error, method).toMatchObject({
      message: 'The node of the chain does not answer.',
      code: 'ledger/unavailable',
      wait: undefined,
    })
  }
})

test('a node that says nothing is waited for a bounded time', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((done) => {
    silent.listen(0, '127.0.0.1', done)
  })
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const refused = nodeProvider(address, 1).request({ method: 'eth_chainId' })
  await expect(refused).rejects.toMatchObject({ message: 'The node of the chain does not answer.' })
})
