import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  decodeFunctionResult,
  encodeFunctionData as encode,
  getContractAddress,
  type Hex,
  numberToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { type HostedServer, hostServer, post } from '../harness/process/server.ts'

const home = mkdtempSync(join(tmpdir(), 'rpc-clients-'))
/** The second of the well-known test accounts, which both chains give tokens to. */
const account = privateKeyToAccount(
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
)
const me = account.address
/** An account without tokens. */
const other: Hex = '0x000000000000000000000000000000000000dEaD'
const contract = getContractAddress({ from: me, nonce: 0n })
/** Creates a contract that answers 42 to any call. */
const creation: Hex = '0x600a600c600039600a6000f3602a60005260206000f3'

let anvil: Anvil
let server: HostedServer
let hash: Hex

beforeAll(async () => {
  anvil = await startAnvil()
  server = await hostServer({ DATA_DIR: join(home, 'data') })
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    gas: 120_000n,
    data: creation,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
  const sent = [1, 'eth_sendRawTransaction', [raw]] as const
  const [ours, theirs] = await askBoth(call(...sent))
  expect(ours).toEqual(theirs)
  hash = (ours as { readonly result: Hex }).result
})

afterAll(async () => {
  await anvil?.stop()
  await server?.end()
  rmSync(home, { recursive: true })
})

type Id = string | number | null

const call = (id: Id, method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
})

/** Returns the answers of the embedded node and of anvil to the same body. */
async function askBoth(body: unknown): Promise<readonly unknown[]> {
  const text = JSON.stringify(body)
  const answers = [post(server.url, '/rpc', text), post(anvil.url.href, '', text)]
  return Promise.all(answers.map(async (it) => (await it).json()))
}

/** Members that only one of the two nodes has, and that no client needs. */
const additions = new Set([
  ...['baseFeePerBlobGas', 'blobGasUsedRatio', 'blobGasPrice', 'blobGasUsed', 'blockTimestamp'],
  ...[
    'totalDifficulty',
    'withdrawals',
    'chainId',
    'yParity',
    'parentBeaconBlockRoot',
    'requestsHash',
  ],
])

/** Returns what a client can tell of an answer without the values in it. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-f]*$/i.test(value) ? 'hex' : 'text'
  if (Array.isArray(value)) return [...new Set(value.map((it) => JSON.stringify(shapeOf(it))))]
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  const members = Object.entries(value).filter(([name]) => !additions.has(name))
  return Object.fromEntries(members.toSorted().map(([name, it]) => [name, shapeOf(it)]))
}

const answer42 = { to: contract, data: '0x2a' }
const override = { [other]: { balance: '0xde0b6b3a7640000' } }
const uuid = '0c2a9c5e-52b4-4ee5-9e0a-57b6d4a1d2f3'
/** A call as Alloy writes it, of which cast and forge are made: its input has both names. */
const ofAlloy = { from: me, to: contract, input: '0x2a', data: '0x2a', chainId: '0x7a69' }

/** The first requests of known clients, as they send them. */
const requests: readonly (readonly [client: string, body: () => unknown])[] = [
  ['cast chain-id', () => call(0, 'eth_chainId')],
  ['cast call', () => call(0, 'eth_call', [ofAlloy, 'latest'])],
  ['cast estimate', () => call(0, 'eth_estimateGas', [ofAlloy, 'latest'])],
  ['cast estimate of a send', () => call(0, 'eth_estimateGas', [{ ...ofAlloy, nonce: '0x1' }])],
  ['cast send, its nonce', () => call(1, 'eth_getTransactionCount', [me, 'pending'])],
  ['cast send, its fees', () => call(2, 'eth_feeHistory', ['0xa', 'latest', [20]])],
  ['cast send, its receipt', () => call(3, 'eth_getTransactionReceipt', [hash])],
  ['cast tx', () => call(0, 'eth_getTransactionByHash', [hash])],
  ['cast block pending', () => call(0, 'eth_getBlockByNumber', ['pending', false])],
  ['cast client', () => call(0, 'web3_clientVersion')],
  ['cast code', () => call(0, 'eth_getCode', [contract, 'latest'])],
  ['cast storage', () => call(0, 'eth_getStorageAt', [contract, '0x0', 'latest'])],
  ['forge script, the block', () => call(4, 'eth_getBlockByNumber', ['latest', false])],
  ['forge script, the price', () => call(5, 'eth_gasPrice')],
  [
    'ethers 6, its network and block at once',
    () => [call(1, 'eth_chainId', []), call(2, 'eth_blockNumber', [])],
  ],
  ['ethers 6, the pending block', () => call(3, 'eth_getBlockByNumber', ['pending', false])],
  ['ethers 6, a call', () => call(4, 'eth_call', [{ from: me, ...answer42 }, 'latest'])],
  ['ethers 6, an estimate', () => call(5, 'eth_estimateGas', [{ from: me, ...answer42 }])],
  ['ethers 6, a tip', () => call(6, 'eth_maxPriorityFeePerGas', [])],
  ['ethers 5, its network', () => call(42, 'net_version', [])],
  ['ethers 5, an estimate', () => call(45, 'eth_estimateGas', [{ from: me, to: contract }])],
  ['viem, a call', () => call(1, 'eth_call', [answer42, 'latest'])],
  ['viem, an overridden call', () => call(2, 'eth_call', [answer42, 'latest', override])],
  ['viem, an overridden block', () => call(2, 'eth_call', [answer42, 'latest', override, {}])],
  [
    'viem, an overridden estimate',
    () => call(3, 'eth_estimateGas', [{ from: other, to: me, value: '0x1' }, 'latest', override]),
  ],
  ['viem, a proof', () => call(4, 'eth_getProof', [contract, [`0x${'0'.repeat(64)}`], 'latest'])],
  ['web3.js, whether it listens', () => call(uuid, 'net_listening', [])],
  ['web3.js, a call', () => call(uuid, 'eth_call', [{ ...answer42, input: '0x2A' }, 'latest'])],
  ['web3.js, its synchronisation', () => call(uuid, 'eth_syncing', [])],
  ['web3.py, its version', () => call(0, 'web3_clientVersion', [])],
  ['web3.py, a balance', () => call(1, 'eth_getBalance', [me, 'latest'])],
  ['web3.py, fees', () => call(2, 'eth_feeHistory', [10, 'pending', [5.5]])],
  ['MetaMask, its network', () => call(1764460000000123, 'net_version')],
  ['MetaMask, fees', () => call(1764460000000124, 'eth_feeHistory', ['0x5', 'latest', [10, 95]])],
  ['MetaMask, a block', () => call(1764460000000125, 'eth_getBlockByNumber', ['0x0', true])],
  ['MetaMask, an empty input', () => call(7, 'eth_call', [{ to: other, data: '0x' }, 'latest'])],
  ['Rabby, a number without params', () => call(uuid, 'eth_blockNumber', null)],
  [
    'Rabby, a call with null for what it lacks',
    () => call(uuid, 'eth_call', [answer42, 'latest', null]),
  ],
  ['Remix, its network', () => call('1', 'net_version', [])],
  ['Remix, whether it listens', () => call('2', 'net_listening', [])],
  [
    'any, a receipt of nothing',
    () => call(1, 'eth_getTransactionReceipt', [`0x${'0'.repeat(64)}`]),
  ],
  ['any, a method of no node', () => call(1, 'eth_feeHistogram', [])],
]

describe('the embedded node answers in the form of anvil', () => {
  test.each(requests)('%s', async (_, body) => {
    const [ours, theirs] = await askBoth(body())
    const shapes = [shapeOf(ours), shapeOf(theirs)]
    expect(shapes[0]).toEqual(shapes[1])
  })
})

test('a call of cast has the answer of the contract', async () => {
  const [ours] = await askBoth(call(0, 'eth_call', [ofAlloy, 'latest']))
  expect(ours).toMatchObject({ result: `0x${'2a'.padStart(64, '0')}` })
})

test('the pending block has the number after the newest one', async () => {
  const number = async (tag: string) => {
    const [ours] = await askBoth(call(0, 'eth_getBlockByNumber', [tag, false]))
    return Number((ours as { readonly result: { readonly number: Hex } }).result.number)
  }
  expect(await number('pending')).toBe((await number('latest')) + 1)
})

test('the key of a slot may have fewer digits than 64', async () => {
  const proof = async (key: Hex) => {
    const [ours] = await askBoth(call(0, 'eth_getProof', [contract, [key], 'latest']))
    return ours
  }
  expect(await proof('0x0')).toEqual(await proof(`0x${'0'.repeat(64)}`))
})

test.each([
  ['two inputs', 'eth_call', [{ ...ofAlloy, data: '0x2b' }], /"data" and "input" differ/],
  ['another block', 'eth_call', [answer42, 'latest', {}, { number: '0x5' }], /4th parameter/],
  ['too few parameters', 'eth_getBlockByNumber', ['latest'], /takes more than 1 parameters/],
  ['too many', 'eth_getBalance', [me, 'latest', 1], /takes fewer than 3 parameters/],
  ['parameters where none are', 'eth_chainId', [1], /takes no parameters/],
  ['a short address', 'eth_getBalance', ['0x12', 'latest'], /cannot read .*"0x12","latest"/],
])('what cannot be read is refused in words: %s', async (_, method, params, words) => {
  const answer = await post(server.url, '/rpc', JSON.stringify(call(1, method, params)))
  const { error } = (await answer.json()) as { error: { code: number; message: string } }
  expect(error).toEqual({ code: -32602, message: expect.stringMatching(words) })
  expect(error.message).not.toMatch(/line \d|column|tuple|struct/)
})

test.each([
  '1',
  '0',
  '-7',
  '1.5',
  'null',
  '"a"',
  '"7"',
  '9007199254740993',
  '18446744073709551615',
])('the id %s comes back as it was sent', async (id) => {
  const body = `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`
  const one = await post(server.url, '/rpc', body)
  expect(await one.text()).toContain(`"id":${id},`)
  const many = await post(server.url, '/rpc', `[${body},${body}]`)
  expect((await many.text()).split(`"id":${id},`)).toHaveLength(3)
})

type Pair = { readonly registry: Hex; readonly marketplace: Hex }

const values: Readonly<Record<string, unknown>> = {
  address: me,
  bool: true,
  string: '',
  bytes: '0x',
  bytes4: '0x00000000',
  bytes32: `0x${'0'.repeat(64)}`,
}

/** Returns a value of a parameter of the contracts. */
function argumentOf({ type, components = [] }: Parameter): unknown {
  if (type.endsWith('[]')) return [argumentOf({ type: type.slice(0, -2), components })]
  if (type === 'tuple') return Object.fromEntries(components.map((it) => [it.name, argumentOf(it)]))
  return type in values ? values[type] : 1n
}

type Parameter = {
  readonly type: string
  readonly name?: string | undefined
  readonly components?: readonly Parameter[]
}

const views = [
  ...memoryRegistryAbi.map((it) => ['registry', it] as const),
  ...memoryMarketplaceAbi.map((it) => ['marketplace', it] as const),
].flatMap(([of, it]) =>
  it.type === 'function' && ['view', 'pure'].includes(it.stateMutability)
    ? [[`${of} ${it.name}(${it.inputs.map(({ type }) => type)})`, of, it] as const]
    : [],
)

describe('any client can read', () => {
  let pair: Pair
  beforeAll(async () => {
    const body = '{"data":{},"metadata":{"category":"research"}}'
    expect((await post(server.url, '/api/memory/snapshot', body)).status).toBe(201)
    pair = (await (await fetch(`${server.url}/api/deployment`)).json()) as Pair
  })

  test.each(views)('%s', async (_, of, view) => {
    const args = view.inputs.map(argumentOf as never)
    const data = encode({ abi: [view], args } as never)
    for (const method of ['eth_call', 'eth_estimateGas']) {
      const body = call(1, method, [{ from: me, to: pair[of], input: data, data }, 'latest'])
      const answer = await post(server.url, '/rpc', JSON.stringify(body))
      const { error, result } = (await answer.json()) as RpcAnswer
      // A view may refuse these arguments; it never lacks gas.
      expect(error?.code ?? 3).toBe(3)
      if (error === undefined) expect(result).toMatch(/^0x/)
    }
  })

  test('the URI of a token', async () => {
    const args = [1n] as const
    const data = encode({ abi: memoryRegistryAbi, functionName: 'tokenURI', args })
    const body = call(1, 'eth_call', [{ to: pair.registry, input: data }, 'latest'])
    const answer = await post(server.url, '/rpc', JSON.stringify(body))
    const { result } = (await answer.json()) as { readonly result: Hex }
    const uri = decodeFunctionResult({
      abi: memoryRegistryAbi,
      functionName: 'tokenURI',
      data: result,
    })
    expect(uri).toMatch(/^data:application\/json;base64,/)
  })
})

/** The call of `totalSupply`. */
const totalSupply: Hex = '0x18160ddd'

type RpcAnswer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

test('a client can record 200 memories, list them, and move one, as the contracts allow', async () => {
  const pair = (await (await fetch(`${server.url}/api/deployment`)).json()) as Pair
  const ask = async <T>(method: string, params: readonly unknown[]) => {
    const answer = await post(server.url, '/rpc', JSON.stringify(call(1, method, params)))
    const { error, result } = (await answer.json()) as RpcAnswer
    if (error !== undefined) throw new Error(error.message)
    return result as T
  }
  const send = async (to: Hex, data: Hex) => {
    const gas = BigInt(await ask<Hex>('eth_estimateGas', [{ from: me, to, data, input: data }]))
    const nonce = Number(await ask<Hex>('eth_getTransactionCount', [me, 'pending']))
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
    const transaction = { type: 'eip1559', chainId: 31337, nonce, gas, to, data, ...fees } as const
    const raw = await account.signTransaction(transaction)
    const sent = await ask<Hex>('eth_sendRawTransaction', [raw])
    return ask<{ readonly status: Hex }>('eth_getTransactionReceipt', [sent])
  }
  const first = BigInt(await ask<Hex>('eth_call', [{ to: pair.registry, data: totalSupply }])) + 1n
  const all = Array.from({ length: 200 }, (_, at) => first + BigInt(at))
  const items = all.map((id) => {
    const hash = numberToHex(id + 1_000n, { size: 32 })
    return { recipient: me, contentHash: hash, digest: hash, parent: 0n }
  })
  const terms = { price: 1n, rentPerDay: 1n, forkPrice: 1n, royaltyBps: 100n, inDollars: false }
  const offers = all.map((tokenId) => ({ tokenId, ...terms }))
  const acts: readonly (readonly [Hex, Hex])[] = [
    [pair.registry, encode({ abi: memoryRegistryAbi, functionName: 'mintBatch', args: [items] })],
    [
      pair.registry,
      encode({
        abi: memoryRegistryAbi,
        functionName: 'setApprovalForAll',
        args: [pair.marketplace, true],
      }),
    ],
    [
      pair.marketplace,
      encode({ abi: memoryMarketplaceAbi, functionName: 'listMany', args: [offers] }),
    ],
    [
      pair.registry,
      encode({
        abi: memoryRegistryAbi,
        functionName: 'safeTransferFrom',
        args: [me, other, first],
      }),
    ],
  ]
  for (const [to, data] of acts) expect((await send(to, data)).status).toBe('0x1')
})
