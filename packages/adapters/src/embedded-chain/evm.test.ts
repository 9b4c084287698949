import {
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  custom,
  encodeErrorResult,
  FeeCapTooLowError,
  type Hex,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  padHex,
  parseAbi,
  parseEther,
} from 'viem'
import { hardhat } from 'viem/chains'
import { describe, expect, onTestFinished, test } from 'vitest'
import { worker } from '../platform/worker.ts'
import { type Evm, openEvm } from './evm.ts'
import type { EvmJob } from './evm-worker.ts'
import { history, receiptOf, send } from './test/requests.ts'

import {
  accounts,
  creationCode,
  revertingContract,
  signTransaction,
  witness,
} from './test/transactions.ts'

const abi = parseAbi(['error NotForSale(uint256 tokenId)', 'function buy()'])
const notForSale = encodeErrorResult({ abi, errorName: 'NotForSale', args: [42n] })
const rich = { address: accounts[0].address, balance: parseEther('10000') }
const genesisTime = 1_700_000_000

async function openTestEvm(): Promise<Evm> {
  const evm = await openEvm({ chainId: 31337, genesisTime, accounts: [rich] })
  onTestFinished(() => evm.close())
  return evm
}

async function deploy(evm: Evm, nonce: number, runtime: Hex): Promise<Hex> {
  const raw = await signTransaction({
    nonce,
    to: undefined,
    data: creationCode(runtime),
    gas: 16_000_000n,
  })
  return (await receiptOf(evm, await send(evm, raw))).contractAddress
}

const setTime = (evm: Evm, timestamp: number) =>
  evm.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] })

const failureOf = (promise: Promise<unknown>): Promise<BaseError> =>
  promise.then(
    () => expect.unreachable('It was accepted.'),
    (error) => error,
  )

describe('a new chain', () => {
  test('mines each transaction in a block of the chosen time', async () => {
    const evm = await openTestEvm()
    await setTime(evm, genesisTime + 60)
    const { status, blockNumber } = await receiptOf(
      evm,
      await send(evm, await signTransaction({ nonce: 0 })),
    )
    const block = await evm.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    expect({ status, blockNumber }).toEqual({ status: '0x1', blockNumber: '0x1' })
    expect(block).toMatchObject({ timestamp: `0x${(genesisTime + 60).toString(16)}` })
  })

  test('gives equal blocks for equal transactions at equal times', async () => {
    const [one, other] = [await openTestEvm(), await openTestEvm()]
    for (const evm of [one, other]) {
      await setTime(evm, genesisTime + 5)
      const address = await deploy(evm, 0, witness)
      await setTime(evm, genesisTime + 5)
      await send(evm, await signTransaction({ nonce: 1, to: address, data: '0x' }))
    }
    expect(await history(one)).toEqual(await history(other))
  })

  test('gives other blocks at other times', async () => {
    const [one, other] = [await openTestEvm(), await openTestEvm()]
    for (const [delay, evm] of [one, other].entries()) {
      await setTime(evm, genesisTime + delay)
      await send(evm, await signTransaction({ nonce: 0 }))
    }
    expect((await history(one))[1]).not.toBe((await history(other))[1])
  })
})

describe('a revert', () => {
  test('is mined with status 0 when it is a transaction', async () => {
    const evm = await openTestEvm()
    const to = await deploy(evm, 0, revertingContract(notForSale))
    const hash = await send(evm, await signTransaction({ nonce: 1, to, data: '0x' }))
    expect((await receiptOf(evm, hash)).status).toBe('0x0')
  })

  test('is decoded by viem from a call and from an estimate', async () => {
    const evm = await openTestEvm()
    const client = createPublicClient({ chain: hardhat, transport: custom(evm, { retryCount: 0 }) })
    const address = await deploy(evm, 0, revertingContract(notForSale))
    const call = { address, abi, functionName: 'buy', account: accounts[0] } as const
    for (const sent of [client.simulateContract(call), client.estimateContractGas(call)]) {
      const revert = (await failureOf(sent)).walk(
        (it) => it instanceof ContractFunctionRevertedError,
      )
      expect(revert).toMatchObject({ data: { errorName: 'NotForSale', args: [42n] } })
    }
  })

  test.each([
    ['without data', '0x', 'execution reverted'],
    [
      'with a reason',
      encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['sold'] }),
      'execution reverted: sold',
    ],
  ] as const)('has the message of geth %s', async (_, data, message) => {
    const evm = await openTestEvm()
    const to = await deploy(evm, 0, revertingContract(data))
    const call = evm.request({ method: 'eth_call', params: [{ to }, 'latest'] })
    await expect(call).rejects.toMatchObject({ code: 3, message, data })
  })

  test('is distinct from an invalid opcode', async () => {
    const evm = await openTestEvm()
    const to = await deploy(evm, 0, '0xfe')
    const error = await failureOf(evm.request({ method: 'eth_call', params: [{ to }, 'latest'] }))
    expect(error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('invalid opcode'),
      data: undefined,
    })
  })
})

describe('a refused transaction', () => {
  type Fields = { readonly from?: number; readonly maxFeePerGas?: bigint; readonly gas?: bigint }
  type Case = readonly [string, Fields, new (...args: never) => BaseError]
  test.each<Case>([
    ['without funds', { from: 1 }, InsufficientFundsError],
    ['under the base fee', { maxFeePerGas: 2n }, FeeCapTooLowError],
    ['with too little gas', { gas: 20_000n }, IntrinsicGasTooLowError],
  ])('is recognised by viem: %s', async (_, { from = 0, ...fields }, kind) => {
    const evm = await openTestEvm()
    const account = accounts[from] ?? accounts[0]
    const client = createWalletClient({
      account,
      chain: hardhat,
      transport: custom(evm, { retryCount: 0 }),
    })
    const fees = { gas: 200_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
    const to = accounts[2].address
    const sent = client.sendTransaction({ nonce: 0, to, value: 1n, ...fees, ...fields })
    expect((await failureOf(sent)).walk((it) => it instanceof kind)).toBeInstanceOf(kind)
  })

  test('is above the gas cap of EIP-7825', async () => {
    const evm = await openTestEvm()
    await expect(
      send(evm, await signTransaction({ nonce: 0, gas: 2n ** 24n + 1n })),
    ).rejects.toThrow('intrinsic gas too high')
  })

  test('is not queued when its nonce is ahead', async () => {
    const evm = await openTestEvm()
    await expect(send(evm, await signTransaction({ nonce: 1 }))).rejects.toThrow(/nonce too high/i)
    await send(evm, await signTransaction({ nonce: 0 }))
    expect(await history(evm)).toHaveLength(2)
  })
})

test('a contract is at most as large as EIP-170 allows', async () => {
  const evm = await openTestEvm()
  const largest = await deploy(evm, 0, padHex('0x', { size: 24_576 }))
  const raw = { nonce: 1, to: undefined, gas: 16_000_000n }
  const data = creationCode(padHex('0x', { size: 24_577 }))
  const { status } = await receiptOf(evm, await send(evm, await signTransaction({ ...raw, data })))
  expect(largest).toMatch(/^0x/)
  expect(status).toBe('0x0')
})

test('a closed chain refuses requests', async () => {
  const evm = await openTestEvm()
  await evm.close()
  await expect(evm.request({ method: 'eth_blockNumber' })).rejects.toThrow('The chain is closed.')
})

test('a chain whose worker died fails every request, and the next chain starts a new worker', async () => {
  const mortal = worker<EvmJob, string>(new URL('./test/mortal-evm-worker.ts', import.meta.url))
  const options = { chainId: 31337, genesisTime, accounts: [rich] }
  const evm = await openEvm(options, mortal)
  await send(evm, await signTransaction({ nonce: 0 }))
  const lost = { code: 'ledger/unavailable', cause: { code: 'service/unexpected' } }
  const requests = ['die', 'eth_blockNumber'].map((method) => evm.request({ method }))
  await Promise.all(requests.map((sent) => expect(sent).rejects.toMatchObject(lost)))
  const other = await openEvm(options, mortal)
  expect(await other.request({ method: 'eth_blockNumber' })).toBe('0x0')
  await expect(evm.request({ method: 'eth_blockNumber' })).rejects.toMatchObject(lost)
  await other.close()
})
