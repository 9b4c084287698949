import {
  type Budget,
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
  /** In whose name it is asked for. */
  readonly budget?: Budget | undefined
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

/** The call data of a mint: a selector, then four words that are an item of a batch. */
const mint = prepareEncodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mint' })
const mintBatch = prepareEncodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mintBatch' })
/** That of a mint which shows a card is a batch of one item and one card. */
const mintDescribed = prepareEncodeFunctionData({
  abi: memoryRegistryAbi,
  functionName: 'mintDescribed',
})

/** How many letters a selector, a word and an item have. */
const length = { selector: mint.functionName.length, word: 64, item: 4 * 64 }

/** Writes what a mint records as its call data. */
export function mintOf({ recipient, contentHash, digest, parent, card }: Item): Hex {
  const data = encodeFunctionData({ ...mint, args: [recipient, contentHash, digest, parent] })
  return card === undefined ? data : describedOf([{ item: wordsAfter(data, 0), card }])
}

/** Returns one call that does what all the jobs ask for; only mints may be many. */
export function callOf(jobs: readonly Call[]): Call {
  const [first] = jobs
  if (first === undefined) throw new Error('A transaction carries at least one job.')
  if (jobs.length === 1) return first
  const mints = jobs.map(({ data }) => partsOf(data))
  const isPlain = mints.every(({ card }) => card === undefined)
  return { to: first.to, data: isPlain ? batchOf(mints) : describedOf(mints), value: 0n }
}

/** What a mint records. */
export type Item = {
  readonly recipient: Hex
  readonly contentHash: Hex
  readonly digest: Hex
  readonly parent: bigint
  /** The digest of the card that it shows. */
  readonly card?: Hex | undefined
}

/** Reads which content a mint records back from its call data. */
export function contentOf(data: Hex): Pick<Item, 'contentHash' | 'digest'> {
  const { item } = partsOf(data)
  return { contentHash: wordAt(item, 1), digest: wordAt(item, 2) }
}

/** The words of a mint's item, and its card if it has one. */
type Parts = { readonly item: Hex; readonly card?: Hex }

function partsOf(data: Hex): Parts {
  if (data.startsWith(mint.functionName) && data.length === length.selector + length.item) {
    return { item: wordsAfter(data, 0) }
  }
  const card = wordAt(wordsAfter(data, 0), 8)
  const item: Hex = `0x${wordsAfter(data, 3).slice(2, 2 + length.item)}`
  const parts = { item, card }
  if (card.length === noCard.length && data === describedOf([parts])) return parts
  throw new Error(`A mint was expected, not ${data.slice(0, length.selector)}.`)
}

/** Returns what comes after the selector and so many words. */
const wordsAfter = (data: Hex, words: number): Hex =>
  `0x${data.slice(length.selector + words * length.word)}`

const wordAt = (words: Hex, place: number): Hex =>
  `0x${words.slice(2 + length.word * place, 2 + length.word * (place + 1))}`

const wordOf = (value: number): Hex => numberToHex(value, { size: 32 })

const batchOf = (mints: readonly Parts[]): Hex =>
  concat([mintBatch.functionName, wordOf(32), ...listOf(mints.map(({ item }) => item))])

const noCard = wordOf(0)

function describedOf(mints: readonly Parts[]): Hex {
  const items = listOf(mints.map(({ item }) => item))
  const cards = listOf(mints.map(({ card = noCard }) => card))
  // Where each list begins: after these two words, and after the items and their count.
  const places = [wordOf(64), wordOf(96 + 128 * mints.length)]
  return concat([mintDescribed.functionName, ...places, ...items, ...cards])
}

const listOf = (members: readonly Hex[]): readonly Hex[] => [wordOf(members.length), ...members]

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
