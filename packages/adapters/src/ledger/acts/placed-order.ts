import { type OrderState, orderStates } from '@heirloom/core'
import {
  getAbiItem,
  getAddress,
  type Hex,
  type Log,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi as abi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'
import { readNumber } from '../view.ts'
import type { ActResult } from './decode-receipt.ts'

/** An order that may be on the chain. */
export type PlacedOrder = {
  readonly hash: Hex
  /** The height of the chain when the order was made. */
  readonly since: bigint
}

/** The events of an order that was carried out. */
const events = [
  getAbiItem({ abi, name: 'SoldForDollars' }),
  getAbiItem({ abi, name: 'RentedForDollars' }),
  getAbiItem({ abi, name: 'ForkedForDollars' }),
  getAbiItem({ abi, name: 'RoyaltyPaidInDollars' }),
] as const

/**
 * Returns the effects of an order in a transaction; `undefined` if the transaction did not carry it
 * out. Others may have carried out orders of their own in it.
 */
export function decodeOrder(
  { marketplace }: ContractPair,
  { logs }: Pick<TransactionReceipt, 'logs'>,
  hash: Hex,
): ActResult | undefined {
  const own = logs.filter((it: Log) => getAddress(it.address) === getAddress(marketplace))
  const found = parseEventLogs({ abi: events, logs: own }).filter(
    ({ args }) => args.orderHash === hash,
  )
  if (found.length === 0) return undefined
  const tokenIds = found.flatMap((it) =>
    it.eventName === 'ForkedForDollars' ? [it.args.tokenId] : [],
  )
  const [expiresAt] = found.flatMap((it) =>
    it.eventName === 'RentedForDollars' ? [it.args.expiresAt] : [],
  )
  return {
    tokenIds,
    expiresAt,
    withdrawn: undefined,
    takeoverAt: undefined,
    creditTakenOver: undefined,
  }
}

/**
 * Returns whether an order was carried out.
 *
 * @throws `ledger/unavailable`
 */
export const isOrderSettled = async (
  client: Pick<PublicClient, 'request'>,
  pair: ContractPair,
  hash: Hex,
): Promise<boolean> => (await readState(client, pair, hash)) === 'settled'

/**
 * Returns whether an order was neither carried out nor refunded.
 *
 * @throws `ledger/unavailable`
 */
export const isOrderOpen = async (
  client: Pick<PublicClient, 'request'>,
  pair: ContractPair,
  hash: Hex,
): Promise<boolean> => (await readState(client, pair, hash)) === 'open'

async function readState(
  client: Pick<PublicClient, 'request'>,
  { marketplace: address }: ContractPair,
  hash: Hex,
): Promise<OrderState | undefined> {
  const state = await readNumber(client, { address, abi, name: 'stateOf' }, [hash])
  return orderStates[Number(state)]
}

/**
 * Returns the receipt of the transaction that carried out an order, from any sender; `undefined` if
 * there is none.
 *
 * @throws `ledger/unavailable`
 */
export async function findOrder(
  client: Pick<PublicClient, 'request' | 'getLogs' | 'getTransactionReceipt'>,
  pair: ContractPair,
  { hash, since: fromBlock }: PlacedOrder,
): Promise<TransactionReceipt | undefined> {
  if (!(await isOrderSettled(client, pair, hash))) return undefined
  return callNode('eth_getLogs', async () => {
    const logs = await client.getLogs({ address: pair.marketplace, events, fromBlock })
    const found = logs.find(({ args }) => args.orderHash === hash)
    if (found === undefined) throw new Error('The node does not show a settled order.')
    return client.getTransactionReceipt({ hash: found.transactionHash })
  })
}
