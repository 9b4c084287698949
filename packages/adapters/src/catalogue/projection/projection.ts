import type { TimedLog } from '../indexer/chain-reader.ts'
import type { CardRow, Database, SealRow, TokenChange, TokenRow } from '../schema.ts'
import { type Earning, earningsOf } from './earnings.ts'
import { claimsOfFork } from './royalty-claims.ts'
import { noPrice, sortableDecimal } from './sortable-decimal.ts'

/** The rows that a run of events changes. */
export type Projection = {
  /** The tokens that the events mention. */
  readonly tokens: Map<number, TokenRow>
  /** The owners of tokens whose transfer came before their mint event. */
  readonly firstOwners: Map<number, string>
  /** The ids of tokens to write. */
  readonly changed: Set<number>
  readonly events: Database['event'][]
  readonly rentals: Database['rental'][]
  readonly cards: CardRow[]
  readonly seals: SealRow[]
  readonly earnings: Earning[]
}

/** Returns a projection that starts from the given tokens. */
export function newProjection(known: Iterable<TokenRow>): Projection {
  return {
    tokens: new Map([...known].map((token) => [token.id, token])),
    firstOwners: new Map(),
    changed: new Set(),
    events: [],
    rentals: [],
    cards: [],
    seals: [],
    earnings: [],
  }
}

/** Applies an event to a projection. */
export function applyEvent(projection: Projection, log: TimedLog): void {
  const event = decoders[log.name]?.(log.words)
  if (event !== undefined) {
    const { tokenId, kind, fields } = event
    const { block, logIndex, blockHash, txHash, at } = log
    const position = { block, logIndex, blockHash, txHash, at }
    projection.events.push({ ...position, tokenId, kind, said: JSON.stringify(fields) })
    changes[kind]?.(projection, event, log)
  }
  projection.earnings.push(...earningsOf(projection.tokens, log))
}

type Words = TimedLog['words']
type DecodedEvent = {
  readonly tokenId: number
  readonly kind: string
  readonly fields: Readonly<Record<string, string | number | undefined>>
}

const wordOf = (words: Words, name: string): string => words[name] ?? '0'.repeat(64)
const numberIn = (words: Words, name: string): number => Number(`0x${wordOf(words, name)}`)
const amountIn = (words: Words, name: string): string => String(BigInt(`0x${wordOf(words, name)}`))
const hashIn = (words: Words, name: string): string => `0x${wordOf(words, name)}`
const accountIn = (words: Words, name: string): string => `0x${wordOf(words, name).slice(24)}`
const unlessZero = (value: number): number | undefined => (value === 0 ? undefined : value)

/** The decoder of each event of the contracts. */
const decoders: Readonly<Record<string, (words: Words) => DecodedEvent>> = {
  Transfer: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'transfer',
    fields: { from: unlessZeroAddress(accountIn(words, 'from')), to: accountIn(words, 'to') },
  }),
  Minted: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'mint',
    fields: {
      creator: accountIn(words, 'creator'),
      parent: unlessZero(numberIn(words, 'parent')),
      royaltyBps: licensedShare(words),
      contentHash: hashIn(words, 'contentHash'),
    },
  }),
  Described: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'card',
    fields: { digest: hashIn(words, 'card') },
  }),
  Listed: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'listing',
    fields: {
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
    fields: {
      seller: accountIn(words, 'seller'),
      buyer: accountIn(words, 'buyer'),
      recipient: accountIn(words, 'recipient'),
      price: amountIn(words, 'price'),
    },
  }),
  Rented: (words) => ({
    tokenId: numberIn(words, 'tokenId'),
    kind: 'rental',
    fields: {
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
    fields: {
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
    fields: {
      to: accountIn(words, 'to'),
      from: accountIn(words, 'from'),
      amount: amountIn(words, 'amount'),
    },
  }),
}

const unlessZeroAddress = (account: string) => (/^0x0+$/.test(account) ? undefined : account)

/** Returns the share of a licensed fork. The licence field is the share plus 1; 0 means no licence. */
function licensedShare(words: Words): number | undefined {
  const licence = numberIn(words, 'licence')
  return licence === 0 ? undefined : licence - 1
}

type Change = (projection: Projection, event: DecodedEvent, log: TimedLog) => void

/** The change that each kind of event makes. */
const changes: Readonly<Record<string, Change>> = {
  mint: (projection, { tokenId }, log) => {
    projection.tokens.set(tokenId, mintedToken(projection, tokenId, log))
    projection.changed.add(tokenId)
    const pending = { state: 'wanted' as const, looks: 0, lookAt: 0 }
    const digest = hashIn(log.words, 'digest')
    projection.seals.push({ digest, ...pending, sealedFor: null, sealedContent: null })
  },
  transfer: (projection, { tokenId, fields }) => {
    if (fields.from === undefined) projection.firstOwners.set(tokenId, String(fields.to))
    else updateToken(projection, tokenId, { owner: String(fields.to), ...unlisted })
  },
  listing: (projection, { tokenId, fields }, { at }) =>
    updateToken(projection, tokenId, listingColumns(fields, at)),
  rental: (projection, { tokenId, fields }, { block, logIndex }) => {
    const { renter, expiresAt } = fields
    const rental = { renter: String(renter), expiresAt: Number(expiresAt) }
    projection.rentals.push({ tokenId, block, logIndex, ...rental })
  },
  card: (projection, { tokenId, fields }, { block }) => {
    const pending = { state: 'wanted' as const, looks: 0, lookAt: 0, category: null, card: null }
    projection.cards.push({ tokenId, block, digest: String(fields.digest), ...pending })
  },
}

/** The terms of a token that is not listed, as after a transfer. */
export const unlisted = {
  price: noPrice,
  rentalPricePerDay: noPrice,
  forkPrice: noPrice,
  forkRoyaltyBps: 0,
  listedAt: null,
} satisfies TokenChange

/** Returns the columns that a listing sets; terms that are all zero take the listing down. */
export function listingColumns(fields: DecodedEvent['fields'], at: number): TokenChange {
  const terms = {
    price: sortableDecimal(BigInt(fields.price ?? 0)),
    rentalPricePerDay: sortableDecimal(BigInt(fields.rentalPricePerDay ?? 0)),
    forkPrice: sortableDecimal(BigInt(fields.forkPrice ?? 0)),
    forkRoyaltyBps: Number(fields.forkRoyaltyBps),
  } satisfies TokenChange
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  const isLive =
    forkRoyaltyBps > 0 || [price, rentalPricePerDay, forkPrice].some((it) => it !== noPrice)
  return isLive ? { ...terms, listedAt: at } : unlisted
}

function updateToken(projection: Projection, tokenId: number, change: TokenChange): void {
  const token = projection.tokens.get(tokenId)
  if (token === undefined) return
  projection.tokens.set(tokenId, { ...token, ...change })
  projection.changed.add(tokenId)
}

function mintedToken(projection: Projection, id: number, log: TimedLog): TokenRow {
  const { words, block, logIndex, blockHash, txHash, at } = log
  const parent = numberIn(words, 'parent')
  const royaltyBps = licensedShare(words)
  const licensor = royaltyBps === undefined ? undefined : projection.tokens.get(parent)
  return {
    ...{ id, source: licensor?.source ?? id, block, logIndex, blockHash, txHash, at, ...unlisted },
    contentHash: hashIn(words, 'contentHash'),
    digest: hashIn(words, 'digest'),
    creator: accountIn(words, 'creator'),
    parent: unlessZero(parent) ?? null,
    royaltyBps: royaltyBps ?? null,
    claims: claimsOfFork(licensor, royaltyBps ?? 0),
    depth: licensor === undefined ? 0 : licensor.depth + 1,
    owner: projection.firstOwners.get(id) ?? accountIn(words, 'creator'),
  }
}
