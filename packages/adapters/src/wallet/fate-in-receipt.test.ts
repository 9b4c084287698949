import { account } from '@heirloom/core'
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbiParameters,
} from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceAbi as abi, forwarderAbi } from '../ledger/contracts.generated.ts'
import { fateInReceipt } from './relay-sender.ts'
import { encodeRequest } from './signed-act.ts'

const address = (digit: string) => getAddress(`0x${digit.repeat(40)}`)
const hash = (digit: string): Hex => `0x${digit.repeat(64)}`
const [marketplace, forwarder, asset] = [address('a'), address('b'), address('c')]
const [payer, seller] = [address('1'), address('2')]
const pair = { registry: address('d'), marketplace, forwarder }

type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

const topics = (of: unknown) => of as readonly Hex[]

function sold(orderHash: Hex, by: Hex = marketplace): Log {
  const args = { tokenId: 1n, seller, recipient: payer }
  const data = encodeAbiParameters(parseAbiParameters('address, uint256, address, bytes32'), [
    payer,
    5n,
    asset,
    orderHash,
  ])
  const signature = encodeEventTopics({ abi, eventName: 'SoldForDollars', args })
  return { address: by, data, topics: topics(signature) }
}

function refunded(orderHash: Hex): Log {
  const args = { orderHash, to: payer }
  const data = encodeAbiParameters(parseAbiParameters('address, uint256'), [asset, 5n])
  const signature = encodeEventTopics({ abi, eventName: 'OrderRefunded', args })
  return { address: marketplace, data, topics: topics(signature) }
}

type Execution = { signer: Hex; nonce: bigint; success?: boolean; by?: Hex }

function executed({ signer, nonce, success = true, by = forwarder }: Execution): Log {
  const eventName = 'ExecutedForwardRequest'
  const signature = encodeEventTopics({ abi: forwarderAbi, eventName, args: { signer } })
  const data = encodeAbiParameters(parseAbiParameters('uint256, bool'), [nonce, success])
  return { address: by, data, topics: topics(signature) }
}

const request = {
  from: account(payer),
  to: account(marketplace),
  value: 0n,
  gas: 100_000n,
  deadline: 2_000_000_000,
  data: '0x1234',
  signature: '0x',
} as const

/** The transaction that carries out the request, as a node has it. */
const client = {
  getTransaction: async () => ({
    to: forwarder,
    input: encodeFunctionData({ abi: forwarderAbi, functionName: 'execute', args: [request] }),
  }),
} as never

const call = { hash: hash('6'), body: encodeRequest(request), nonce: '4' }
const order = { hash: hash('7'), body: {} }

const fateOf = (signed: typeof call | typeof order, ...logs: readonly Log[]) => {
  const numbered = logs.map((log, logIndex) => ({ ...log, logIndex }))
  const receipt = { status: 'success', transactionHash: hash('9'), logs: numbered }
  return fateInReceipt({ client, pair }, signed, receipt as never)
}

test('an order is proven by the event with its hash, of the marketplace', async () => {
  expect(await fateOf(order, sold(hash('7')))).toMatchObject({ transactionHash: hash('9') })
})

test('a call is proven by the event with its signer and its nonce, of the forwarder', async () => {
  const done = executed({ signer: payer, nonce: 4n })
  expect(await fateOf(call, done)).toMatchObject({ transactionHash: hash('9') })
})

test('another transaction, which a server may name, proves nothing', async () => {
  const others = [sold(hash('8')), sold(hash('7'), seller), refunded(hash('7'))]
  for (const log of others) expect(await fateOf(order, log)).toBeUndefined()
  expect(await fateOf(order, ...others)).toBeUndefined()
  const calls = [
    executed({ signer: seller, nonce: 4n }),
    executed({ signer: payer, nonce: 3n }),
    executed({ signer: payer, nonce: 4n, by: marketplace }),
  ]
  for (const log of calls) expect(await fateOf(call, log)).toBeUndefined()
  expect(await fateOf(call, ...calls)).toBeUndefined()
  expect(await fateOf(call)).toBeUndefined()
  const failed = executed({ signer: payer, nonce: 4n, success: false })
  expect(await fateOf(call, failed)).toBe('superseded')
})
