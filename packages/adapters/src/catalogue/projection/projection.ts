import { noPrice, written } from './sortable-decimal.ts'
import type { TimedLog } from '../indexer/chain-reader.ts'
import { claimsOfFork } from './royalty-claims.ts'
import { type Income, incomesOf } from './earnings.ts'
import type { CardRow, Database, SealRow, TokenRow } from '../schema.ts'

/** What a run of events changes; tokens are those that it speaks of, and their sources. */
export type Book = {
  readonly tokens: Map<number, TokenRow>
  /** Owners of tokens whose mint is about to be told. */
  readonly fresh: Map<number, string>
  readonly touched: Set<number>
  readonly events: Database['event'][]
  readonly rentals: Database['rental'][]
  readonly cards: CardRow[]
  readonly seals: SealRow[]
  readonly incomes: Income[]
}

/** Opens a book on what is known of tokens. */
export function openBook(known: Iterable<TokenRow>): Book {
  return {
    tokens: new Map([...known].map((token) => [token.id, token])),
    fresh: new Map(),
    touched: new Set(),
    events: [],
    rentals: [],
    cards: [],
    seals: [],
    incomes: [],
  }
}

/** Enters an event. */
export function enter(book: Book, log: TimedLog): void {
  const entry = readers[log.name]?.(log.words)
  if (entry !== undefined) {
    const { tokenId, kind, said } = entry
    const { block, logIndex, blockHash, txHash, at } = log
    const place = { block, logIndex, blockHash, txHash, at }
    book.events.push({ ...place, tokenId, kind, said: JSON.stringify(said) })
    changers[kind]?.(book, entry, log)
  }
  book.incomes.push(...incomesOf(book.tokens, log))
}

type Words = TimedLog['words']
type Entry = {
  readonly tokenId: number
  readonly kind: string
  readonly said: Readonly<Record<string, string | number | undefined>>
}

const wordOf = (words: Words, name: string): string => words[name] ?? '0'.repeat(64)
const numberIn = (words: Words, name: string): number => Number(`0x${wordOf(words, name)}`)
const amountIn = (words: Words, name: string): string => String(BigInt(`0x${wordOf(words, name)}`))
const hashIn = (words: Words, name: string): string => `0x${wordOf(words, name)}`
const accountIn = (words: Words, name: string): string => `0x${wordOf(words, name).slice(24)}`
const absent = (value: number): number | undefined => (value === 0 ? undefined : value)

/** How each event is told. */
const readers: Readonly<Record<string, (words: Words) => Entry>> = {
  Transfer: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'transfer',
    said: { from: existing(accountIn(words, 'from')), to: accountIn(words, 'to') },
  }),
  Minted: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'mint',
    said: {
      creator: accountIn(words, 'creator'),
      parent: absent(numberIn(words, 'parent')),
      royaltyBps: licenceIn(words),
      contentHash: hashIn(words, 'contentHash'),
    },
  }),
  Described: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'card',
    said: { digest: hashIn(words, 'card') },
  }),
  Listed: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'listing',
    said: {
      seller: accountIn(words, 'seller'),
      price: amountIn(words, 'price'),
      rentalPricePerDay: amountIn(words, 'rentPerDay'),
      forkPrice: amountIn(words, 'forkPrice'),
      forkRoyaltyBps: numberIn(words, 'royaltyBps'),
    },
  }),
  Sold: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'sale',
    said: {
      seller: accountIn(words, 'seller'),
      buyer: accountIn(words, 'buyer'),
      recipient: accountIn(words, 'recipient'),
      price: amountIn(words, 'price'),
    },
  }),
  Rented: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'rental',
    said: {
      owner: accountIn(words, 'owner'),
      renter: accountIn(words, 'renter'),
      payer: accountIn(words, 'payer'),
      expiresAt: numberIn(words, 'expiresAt'),
      paid: amountIn(words, 'paid'),
    },
  }),
  Forked: (words) => ({
    tokenId: numberIn(words, 'parent'),
    kind: 'fork',
    said: {
      child: numberIn(words, 'tokenId'),
      forker: accountIn(words, 'forker'),
      recipient: accountIn(words, 'recipient'),
      royaltyBps: numberIn(words, 'royaltyBps'),
      price: amountIn(words, 'price'),
    },
  }),
  RoyaltyPaid: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'royalty',
    said: {
      to: accountIn(words, 'to'),
      from: accountIn(words, 'from'),
      amount: amountIn(words, 'amount'),
    },
  }),
}

const existing = (account: string) => (/^0x0+$/.test(account) ? undefined : account)

/** A licence is one more than the share, so that 0 says that there is none. */
function licenceIn(words: Words): number | undefined {
  const licence = numberIn(words, 'licence')
  return licence === 0 ? undefined : licence - 1
}

type Change = (book: Book, entry: Entry, log: TimedLog) => void

/** What each kind of event changes. */
const changers: Readonly<Record<string, Change>> = {
  mint: (book, { tokenId }, log) => {
    book.tokens.set(tokenId, mintedBy(book, tokenId, log))
    book.touched.add(tokenId)
    const unread = { state: 'wanted' as const, looks: 0, lookAt: 0 }
    const digest = hashIn(log.words, 'digest')
    book.seals.push({ digest, ...unread, sealedFor: null, sealedContent: null })
  },
  transfer: (book, { tokenId, said }) => {
    if (said.from === undefined) book.fresh.set(tokenId, String(said.to))
    else change(book, tokenId, { owner: String(said.to), ...unlisted })
  },
  listing: (book, { tokenId, said }, { at }) => change(book, tokenId, listedBy(said, at)),
  rental: (book, { tokenId, said }, { block, logIndex }) => {
    const { renter, expiresAt } = said
    const rental = { renter: String(renter), expiresAt: Number(expiresAt) }
    book.rentals.push({ tokenId, block, logIndex, ...rental })
  },
  card: (book, { tokenId, said }, { block }) => {
    const wanted = { state: 'wanted' as const, looks: 0, lookAt: 0, category: null, card: null }
    book.cards.push({ tokenId, block, digest: String(said.digest), ...wanted })
  },
}

/** What is left of the terms of a token that changed hands. */
export const unlisted = {
  price: noPrice,
  rentalPricePerDay: noPrice,
  forkPrice: noPrice,
  forkRoyaltyBps: 0,
  listedAt: null,
}

/** Returns the terms that a listing set; those that offer nothing take it down. */
export function listedBy(said: Entry['said'], at: number): Partial<TokenRow> {
  const terms = {
    price: written(BigInt(said.price ?? 0)),
    rentalPricePerDay: written(BigInt(said.rentalPricePerDay ?? 0)),
    forkPrice: written(BigInt(said.forkPrice ?? 0)),
    forkRoyaltyBps: Number(said.forkRoyaltyBps),
  }
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  const isLive =
    forkRoyaltyBps > 0 || [price, rentalPricePerDay, forkPrice].some((it) => it !== noPrice)
  return isLive ? { ...terms, listedAt: at } : unlisted
}

function change(book: Book, tokenId: number, changes: Partial<TokenRow>): void {
  const token = book.tokens.get(tokenId)
  if (token === undefined) return
  book.tokens.set(tokenId, { ...token, ...changes })
  book.touched.add(tokenId)
}

function mintedBy(book: Book, id: number, log: TimedLog): TokenRow {
  const { words, block, logIndex, blockHash, txHash, at } = log
  const parent = numberIn(words, 'parent')
  const royaltyBps = licenceIn(words)
  const licensor = royaltyBps === undefined ? undefined : book.tokens.get(parent)
  return {
    ...{ id, source: licensor?.source ?? id, block, logIndex, blockHash, txHash, at, ...unlisted },
    contentHash: hashIn(words, 'contentHash'),
    digest: hashIn(words, 'digest'),
    creator: accountIn(words, 'creator'),
    parent: absent(parent) ?? null,
    royaltyBps: royaltyBps ?? null,
    claims: claimsOfFork(licensor, royaltyBps ?? 0),
    depth: licensor === undefined ? 0 : licensor.depth + 1,
    owner: book.fresh.get(id) ?? accountIn(words, 'creator'),
  }
}
