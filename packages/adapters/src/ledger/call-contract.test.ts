import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeErrorResult, parseAbi } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { callContract } from './call-contract.ts'
import { type Chain, connect } from './connection.ts'

const stranger = `0x${'5'.repeat(40)}` as const
const abi = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
])

/** Listens on this machine, as a service does that trusts it. */
async function listen() {
  const requested: unknown[] = []
  const server = createServer(({ url }, response) => {
    requested.push(url)
    response.setHeader('content-type', 'application/json').end('{"data":"0x"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { requested, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secrets` }
}

test('requests no address that a contract names (ERC-3668)', async () => {
  const { requested, url } = await listen()
  const args = [stranger, [url], '0x', '0x00000000', '0x'] as const
  const data = encodeErrorResult({ abi, errorName: 'OffchainLookup', args })
  let calls = 0
  const chain: Chain = {
    request: async () => {
      calls += 1
      if (calls > 1) return '0x'
      throw Object.assign(new Error('execution reverted'), { code: 3, data })
    },
  }
  const call = { to: stranger, data: '0x12345678', gas: 100_000n } as const
  expect(await callContract(connect(chain), call).catch((error: unknown) => error)).toBeUndefined()
  expect(requested).toEqual([])
})
