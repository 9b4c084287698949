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
import { isOrdered } from '../relay/gas-limit.ts'

/**
 * The work of a job: a write of the ledger; `relay`, a call that an account signed; `payOrder` or
 * `settle`, an act in dollars, and `refund`, its end without the act; `openAccount`, which deploys the
 * account of a passkey; `handOut`, which makes test dollars of the embedded chain.
 */
export type LaneOperation =
  | LedgerWrite
  | 'relay'
  | 'payOrder'
  | 'settle'
  | 'refund'
  | 'openAccount'
  | 'handOut'

/** A write to make. */
export type Job = {
  readonly operation: LaneOperation
  readonly to: Hex
  readonly data: Hex
  /** The payment, in wei. */
  readonly value: bigint
  readonly idempotency?: Idempotency | undefined
  /** The budget it counts against. */
  readonly budget?: Budget | undefined
  /** More budgets that it counts against. */
  readonly budgets?: readonly Budget[] | undefined
  /** The hold of a name that it decides. */
  readonly hold?: string | undefined
}

/** The outcome of a successful write. */
export type Outcome = {
  readonly txHash: Hex
  readonly acceptedAt: Instant
  readonly data: Hex
  readonly tokenId?: string
  /** Every token that a relayed act minted. */
  readonly tokenIds?: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
}

/** The result of a job that has ended. */
export type JobResult =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The call that a transaction makes. */
export type Call = Pick<Job, 'to' | 'data' | 'value'>

/** The most mints in one transaction: 100 take less than 2^24 gas even for new recipients. */
export const batchLimit = 100

/** A plain mint is a selector and the four words of its item, as `mintBatch` lists them. */
const mint = prepareEncodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mint' })
const mintBatch = prepareEncodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mintBatch' })
/** A mint with a card is a batch of one item and one card. */
const mintDescribed = prepareEncodeFunctionData({
  abi: memoryRegistryAbi,
  functionName: 'mintDescribed',
})

/** The lengths of a selector (with `0x`), a word and an item, in hexadecimal characters. */
const length = { selector: mint.functionName.length, word: 64, item: 4 * 64 }

/** The arguments of one mint. */
export type MintItem = {
  readonly recipient: Hex
  readonly contentHash: Hex
  readonly digest: Hex
  readonly parent: bigint
  /** The digest of the token's card. */
  readonly card?: Hex | undefined
}

/** Returns the call data of a mint. */
export function encodeMint({ recipient, contentHash, digest, parent, card }: MintItem): Hex {
  const data = encodeFunctionData({ ...mint, args: [recipient, contentHash, digest, parent] })
  return card === undefined ? data : encodeDescribed([{ item: wordsFrom(data, 0), card }])
}

/** Returns the content that the call data of a mint records. */
export function decodeMintContent(data: Hex): Pick<MintItem, 'contentHash' | 'digest'> {
  const { item } = decodeMint(data)
  return { contentHash: wordAt(item, 1), digest: wordAt(item, 2) }
}

/** Returns the call data of a mint without its card: it records the same content. */
export function withoutCard(data: Hex): Hex {
  const { item } = decodeMint(data)
  return concat([mint.functionName, item])
}

/** The number of words before the items of each call that mints; one that mints one item has no count. */
const wordsBeforeItems: Readonly<Record<string, number>> = {
  [mint.functionName]: 0,
  [mintBatch.functionName]: 2,
  [mintDescribed.functionName]: 3,
}

/** Returns the pairs that a transaction mints, in their order; `undefined` if it mints none. */
export function mintedPairs(
  data: Hex,
): readonly Pick<MintItem, 'contentHash' | 'digest'>[] | undefined {
  const before = wordsBeforeItems[data.slice(0, length.selector)]
  if (before === undefined) return undefined
  const count = before === 0 ? 1 : Number(wordAt(wordsFrom(data, before - 1), 0))
  const items = wordsFrom(data, before)
  return Array.from({ length: count }, (_, index) => ({
    contentHash: wordAt(items, 4 * index + 1),
    digest: wordAt(items, 4 * index + 2),
  }))
}

/** Returns the digests of the blobs that a mint refers to. */
export function mintedDigests(data: Hex): readonly Hex[] {
  const { item, card } = decodeMint(data)
  return [wordAt(item, 2), ...(card === undefined ? [] : [card])]
}

/** Returns one call that makes all the given calls. Only mints can be joined. */
export function joinCalls(calls: readonly Call[]): Call {
  const [first] = calls
  if (first === undefined) throw new Error('A transaction carries at least one job.')
  if (calls.length === 1) return first
  const mints = calls.map(({ data }) => decodeMint(data))
  const isPlain = mints.every(({ card }) => card === undefined)
  return { to: first.to, data: isPlain ? encodeBatch(mints) : encodeDescribed(mints), value: 0n }
}

/** The words of a mint's item, and its card if it has one. */
export type EncodedMint = { readonly item: Hex; readonly card?: Hex }

/**
 * Decodes the call data of a mint of one token.
 *
 * @throws an error for any other call
 */
export function decodeMint(data: Hex): EncodedMint {
  if (data.startsWith(mint.functionName) && data.length === length.selector + length.item) {
    return { item: wordsFrom(data, 0) }
  }
  const card = wordAt(wordsFrom(data, 0), 8)
  const item: Hex = `0x${wordsFrom(data, 3).slice(2, 2 + length.item)}`
  const decoded = { item, card }
  if (card.length === noCard.length && data === encodeDescribed([decoded])) return decoded
  throw new Error(`A mint was expected, not ${data.slice(0, length.selector)}.`)
}

/** Returns the arguments of call data from the word at `index` on. */
const wordsFrom = (data: Hex, index: number): Hex =>
  `0x${data.slice(length.selector + index * length.word)}`

/** Returns the word at an index of words. */
export const wordAt = (words: Hex, index: number): Hex =>
  `0x${words.slice(2 + length.word * index, 2 + length.word * (index + 1))}`

const encodeWord = (value: number): Hex => numberToHex(value, { size: 32 })

const encodeBatch = (mints: readonly EncodedMint[]): Hex =>
  concat([mintBatch.functionName, encodeWord(32), ...encodeList(mints.map(({ item }) => item))])

const noCard = encodeWord(0)

function encodeDescribed(mints: readonly EncodedMint[]): Hex {
  const items = encodeList(mints.map(({ item }) => item))
  const cards = encodeList(mints.map(({ card = noCard }) => card))
  // The offsets of the lists: after these two words, and after the items and their count.
  const offsets = [encodeWord(64), encodeWord(96 + 128 * mints.length)]
  return concat([mintDescribed.functionName, ...offsets, ...items, ...cards])
}

const encodeList = (members: readonly Hex[]): readonly Hex[] => [
  encodeWord(members.length),
  ...members,
]

/** The name of the event of a mint. */
export const minted: Hex = toEventSelector(getAbiItem({ abi: memoryRegistryAbi, name: 'Minted' }))
const forked = getAbiItem({ abi: memoryMarketplaceAbi, name: 'Forked' })
const rented = getAbiItem({ abi: memoryMarketplaceAbi, name: 'Rented' })
const rentedForDollars = getAbiItem({ abi: memoryMarketplaceAbi, name: 'RentedForDollars' })

/** Returns the results that a transaction's events report for each of its jobs, in their order. */
export function decodeEvents(
  operation: LaneOperation,
  logs: Log[],
): readonly Pick<Outcome, 'tokenId' | 'tokenIds' | 'expiresAt'>[] {
  if (operation === 'mint') {
    // The token is the first indexed word of the event; a batch emits one event for each mint.
    const tokens = logs.filter(({ topics }) => topics[0] === minted)
    return tokens.map(({ topics }) => ({ tokenId: String(BigInt(topics[1] ?? '0x')) }))
  }
  if (operation === 'fork') {
    const events = parseEventLogs({ abi: [forked], logs })
    return events.map(({ args }) => ({ tokenId: String(args.tokenId) }))
  }
  if (operation === 'relay' || isOrdered(operation)) {
    return [decodeRelayed(logs)]
  }
  const events = parseEventLogs({ abi: [rented], logs })
  return events.map(({ args }) => ({ expiresAt: fromSeconds(Number(args.expiresAt)) }))
}

/** Returns the results of one relayed act, which may mint many tokens. */
function decodeRelayed(logs: Log[]): Pick<Outcome, 'tokenIds' | 'expiresAt'> {
  const tokens = logs.filter(({ topics }) => topics[0] === minted)
  const tokenIds = tokens.map(({ topics }) => String(BigInt(topics[1] ?? '0x')))
  const [rental] = parseEventLogs({ abi: [rentedForDollars], logs })
  if (rental === undefined) return { tokenIds }
  return { tokenIds, expiresAt: fromSeconds(Number(rental.args.expiresAt)) }
}
