import {
  type Failure,
  fromSeconds,
  type Idempotency,
  type Instant,
  type LedgerWrite,
} from '@heirloom/core'
import { decodeFunctionData, encodeFunctionData, type Hex, type Log, parseEventLogs } from 'viem'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'

/** A write that is asked for. */
export type Job = {
  readonly operation: LedgerWrite
  readonly to: Hex
  readonly data: Hex
  /** What it pays, in wei. */
  readonly value: bigint
  readonly idempotency?: Idempotency | undefined
}

/** What a write gave. */
export type Outcome = {
  readonly txHash: Hex
  readonly acceptedAt: Instant
  readonly data: Hex
  readonly tokenId?: string
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
}

/** What a transaction carries. */
export type Call = Pick<Job, 'to' | 'data' | 'value'>

/** How many mints fit into one transaction: 100 stay below 2^24 gas even for new recipients. */
export const batchLimit = 100

/** Returns one call that does what all the jobs ask for; only mints may be many. */
export function callOf(jobs: readonly Call[]): Call {
  const [first] = jobs
  if (first === undefined) throw new Error('A transaction carries at least one job.')
  if (jobs.length === 1) return first
  const items = jobs.map(({ data }) => itemOf(data))
  const data = encodeFunctionData({
    abi: memoryRegistryAbi,
    functionName: 'mintBatch',
    args: [items],
  })
  return { to: first.to, data, value: 0n }
}

type Item = {
  readonly recipient: Hex
  readonly contentHash: Hex
  readonly digest: Hex
  readonly parent: bigint
}

/** Reads what a mint records back from its call data. */
export function itemOf(data: Hex): Item {
  const { functionName, args } = decodeFunctionData({ abi: memoryRegistryAbi, data })
  if (functionName !== 'mint') throw new Error(`A mint was expected, not ${functionName}.`)
  const [recipient, contentHash, digest, parent] = args
  return { recipient, contentHash, digest, parent }
}

/** Reads what each job of a transaction gave, in their order, from the transaction's events. */
export function gainsOf(
  operation: LedgerWrite,
  logs: Log[],
): readonly Pick<Outcome, 'tokenId' | 'expiresAt'>[] {
  if (operation === 'mint') {
    const minted = parseEventLogs({ abi: memoryRegistryAbi, eventName: 'Minted', logs })
    return minted.map(({ args }) => ({ tokenId: String(args.tokenId) }))
  }
  if (operation === 'fork') {
    const forked = parseEventLogs({ abi: memoryMarketplaceAbi, eventName: 'Forked', logs })
    return forked.map(({ args }) => ({ tokenId: String(args.tokenId) }))
  }
  const rented = parseEventLogs({ abi: memoryMarketplaceAbi, eventName: 'Rented', logs })
  return rented.map(({ args }) => ({ expiresAt: fromSeconds(Number(args.expiresAt)) }))
}

/** How a job ended. */
export type End =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly failure: Failure }
