import {
  type Account,
  Failure,
  type Hash,
  type Idempotency,
  isFailure,
  nobody,
} from '@heirloom/core'
import type { Hex, PublicClient } from 'viem'
import type { DeployedPair } from '../contract-pair.ts'
import type { Outcome } from '../nonce-lane/job.ts'
import type { NonceLane } from '../nonce-lane/nonce-lane.ts'
import { depositAddress, type EncodedOrder, encodedOrderHash } from '../orders/encode-order.ts'
import type { OrderRefund } from '../orders/encode-payment.ts'
import { dollarBalanceOf } from '../view.ts'
import { gasOfOrder } from './gas-limit.ts'
import { requirePrice } from './require-relayable.ts'
import { nodeFor, type Opening, simulate } from './try-out.ts'

/** The parts of a relay. */
export type RelayParts = {
  readonly client: PublicClient
  readonly chainId: number
  readonly lane: Pick<NonceLane, 'execute' | 'recall' | 'spentFromBudget'>
  readonly contracts: DeployedPair
  /** The address of the wallet that pays the gas. */
  readonly agent: Account
  /** Whether the chain is in this process. */
  readonly isLocal: boolean
  readonly gasOfCode?: bigint | undefined
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
}

/** The most times that an order is sent: each time but the last it failed in its block. */
const mostAttempts = 8

/** Failures that say nothing about the job itself. */
const uncertain = [
  'ledger/unavailable',
  'key-service/unavailable',
  'key-service/wrong-key',
  'store/unavailable',
  'transaction/unconfirmed',
  'transaction/unknown',
] as const

/** The operations that carry out an order, each with the name in the keys of its jobs. */
const keyNames = { settle: 'order', payOrder: 'payment' } as const

/** An operation that carries out an order. */
export type OrderOperation = keyof typeof keyNames

/** The job of an order: its outcome, the key of the next one, or why there is no next one. */
type OrderJob =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'next'; readonly idempotency: Idempotency }
  | { readonly kind: 'given-up'; readonly failure: Failure }

/**
 * Finds the job that carries out an order, independent of its payer. A job that failed in its block
 * leaves room for another one: the order is open still.
 */
export async function findOrderJob(
  lane: Pick<NonceLane, 'recall'>,
  operation: OrderOperation,
  orderHash: Hash,
): Promise<OrderJob> {
  let failure: Failure = new Failure('relay/failed', { reason: 'it was never sent' })
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const key = `relay ${keyNames[operation]} ${orderHash} ${attempt}`
    const idempotency = { key, fingerprint: orderHash }
    const found = await lane.recall(operation, idempotency).catch(failureOfJob)
    if (found === undefined) return { kind: 'next', idempotency }
    if (!isFailure(found)) return { kind: 'done', outcome: found }
    failure = found
  }
  return { kind: 'given-up', failure }
}

/** Returns the failure that a job ended with. @throws any other, which leaves its end open */
function failureOfJob(error: unknown): Failure {
  if (isFailure(error) && !uncertain.some((code) => error.code === code)) return error
  throw error
}

/** Returns the hash of an order of a pair. */
export const hashOfOrder = (
  { chainId, contracts: { marketplace } }: Pick<RelayParts, 'chainId' | 'contracts'>,
  order: EncodedOrder,
): Hash => encodedOrderHash(order, { chainId, marketplace })

/**
 * Requires that a call of the marketplace would succeed as the agent wallet will send it.
 *
 * @throws what the contracts name
 */
export async function tryOutOrder(
  { contracts: { marketplace: to }, agent, ...chain }: RelayParts,
  data: Hex,
  opening?: Opening,
): Promise<void> {
  const call = { from: agent, to, data, gas: gasOfOrder }
  await simulate(nodeFor(chain), { ...call, ...opening })
}

/**
 * Requires that a refund would succeed from any account: the agent wallet has no say in an order, even
 * in one that names it.
 *
 * @throws what the contracts name
 */
export async function tryOutRefund(parts: RelayParts, data: Hex): Promise<void> {
  await tryOutOrder({ ...parts, agent: nobody }, data)
}

/**
 * Requires that a refund is of the pair's dollar, and of an amount that is worth its gas.
 *
 * @throws `order/foreign-asset`, `relay/underpriced`
 */
export async function requireRefundable(
  parts: RelayParts,
  { order, asset }: OrderRefund,
  least: bigint,
): Promise<void> {
  const { client, contracts } = parts
  const dollar = (contracts.dollar ?? nobody) as Account
  if (asset.toLowerCase() !== dollar.toLowerCase() || contracts.dollar === undefined) {
    throw new Failure('order/foreign-asset', { asset, dollar })
  }
  const deposit = depositAddress(hashOfOrder(parts, order), contracts)
  const held = await dollarBalanceOf(client, dollar, deposit)
  requirePrice({ price: held }, least < 1n ? 1n : least)
}
