import {
  type Failure,
  fromSeconds,
  type Idempotency,
  type Instant,
  type LedgerWrite,
} from '@heirloom/core'
import {
  concat,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  type Log,
  numberToHex,
  parseEventLogs,
  prepareEncodeFunctionData,
  toEventSelector,
} from 'viem'
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

/** The call data of a mint: a selector, then four words that are an item of `mintBatch`. */
const mint = prepareEncodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mint' })
const mintBatch = prepareEncodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mintBatch' })
const selectorLength = mint.functionName.length

/** Writes what a mint records as its call data. */
export function mintOf({ recipient, contentHash, digest, parent }: Item): Hex {
  return encodeFunctionData({ ...mint, args: [recipient, contentHash, digest, parent] })
}

/** Returns one call that does what all the jobs ask for; only mints may be many. */
export function callOf(jobs: readonly Call[]): Call {
  const [first] = jobs
  if (first === undefined) throw new Error('A transaction carries at least one job.')
  if (jobs.length === 1) return first
  const items = jobs.map(({ data }) => wordsOf(data))
  const place = numberToHex(32, { size: 32 })
  const count = numberToHex(jobs.length, { size: 32 })
  return { to: first.to, data: concat([mintBatch.functionName, place, count, ...items]), value: 0n }
}

/** What a mint records. */
export type Item = {
  readonly recipient: Hex
  readonly contentHash: Hex
  readonly digest: Hex
  readonly parent: bigint
}

/** Reads which content a mint records back from its call data. */
export function contentOf(data: Hex): Pick<Item, 'contentHash' | 'digest'> {
  const words = wordsOf(data)
  const word = (place: number): Hex => `0x${words.slice(2 + 64 * place, 66 + 64 * place)}`
  return { contentHash: word(1), digest: word(2) }
}

function wordsOf(data: Hex): Hex {
  if (data.startsWith(mint.functionName) && data.length === selectorLength + 4 * 64) {
    return `0x${data.slice(selectorLength)}`
  }
  throw new Error(`A mint was expected, not ${data.slice(0, selectorLength)}.`)
}

const minted = toEventSelector(getAbiItem({ abi: memoryRegistryAbi, name: 'Minted' }))
const forked = getAbiItem({ abi: memoryMarketplaceAbi, name: 'Forked' })
const rented = getAbiItem({ abi: memoryMarketplaceAbi, name: 'Rented' })

/** Reads what each job of a transaction gave, in their order, from the transaction's events. */
export function gainsOf(
  operation: LedgerWrite,
  logs: Log[],
): readonly Pick<Outcome, 'tokenId' | 'expiresAt'>[] {
  if (operation === 'mint') {
    // The token is the event's first indexed word; there are as many events as a batch has mints.
    const tokens = logs.filter(({ topics }) => topics[0] === minted)
    return tokens.map(({ topics }) => ({ tokenId: String(BigInt(topics[1] ?? '0x')) }))
  }
  if (operation === 'fork') {
    const given = parseEventLogs({ abi: [forked], logs })
    return given.map(({ args }) => ({ tokenId: String(args.tokenId) }))
  }
  const given = parseEventLogs({ abi: [rented], logs })
  return given.map(({ args }) => ({ expiresAt: fromSeconds(Number(args.expiresAt)) }))
}

/** How a job ended. */
export type End =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly failure: Failure }
