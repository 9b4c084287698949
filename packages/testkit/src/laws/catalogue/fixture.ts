import assert from 'node:assert/strict'
import {
  type CardBlock,
  type CataloguedToken,
  type Digest,
  digest,
  dollars,
  encodeCard,
  type Hash,
  type HistoryEntry,
  hash,
  type ListingsQuery,
  type Page,
  type Terms,
  type TokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness, Party } from '../../harness.ts'
import { accountOf, arbitraryCheapPrice, noTerms } from '../ledger/fixture.ts'

let minted = 0

/** Returns a content hash that no other token has. */
export function nextContentHash(): Hash {
  minted += 1
  return hash(`0x${minted.toString(16).padStart(8, '0')}${'c0'.repeat(28)}`)
}

/** The options of a mint. */
type MintOptions = {
  readonly contentHash?: Hash
  /** The digest of the sealed bundle; one that is stored nowhere when absent. */
  readonly digest?: Digest
  readonly parent?: TokenId
  readonly to?: Party
  /** The card, or the bytes of its block; a card is encoded with the content hash of the memory. */
  readonly card?: CardBlock['card'] | Uint8Array
}

/** Mints a token, with new content unless a content hash is given. */
export async function mint(
  harness: CatalogueHarness,
  { ledger }: Party,
  { contentHash = nextContentHash(), digest: given, parent, to, card }: MintOptions = {},
): Promise<TokenId> {
  const block = card instanceof Uint8Array ? card : card && encodeCard({ card, contentHash })
  const cardDigest = block && (await harness.keepCard(block))
  const storage = given ?? digest(`0x${contentHash.slice(10)}${contentHash.slice(2, 10)}`)
  const recipient = to ? accountOf(to) : ledger.agent
  const token = { contentHash, digest: storage, parent, recipient, card: cardDigest }
  return (await ledger.mint(token)).tokenId
}

/** Lists a token of a party. */
export const list = ({ ledger }: Party, tokenId: TokenId, terms: Partial<Terms>) =>
  ledger.list({ ...noTerms, ...terms, tokenId })

/** Returns terms with their prices in dollars instead of wei. */
export function inDollars({
  price = wei(0n),
  rentalPricePerDay = wei(0n),
  forkPrice = wei(0n),
  forkRoyaltyBps = 0,
}: Partial<Terms>): Terms {
  const prices = {
    price: dollars(price),
    rentalPricePerDay: dollars(rentalPricePerDay),
    forkPrice: dollars(forkPrice),
  }
  return { ...noTerms, forkRoyaltyBps, dollars: prices }
}

/** Forks a token for the paying party. */
export async function fork({ ledger }: Party, tokenId: TokenId): Promise<TokenId> {
  const { forkPrice: price = wei(0n) } = (await ledger.listing(tokenId)) ?? {}
  const recipient = ledger.agent
  return (await ledger.fork({ tokenId, price, maxRoyaltyBps: 10_000, recipient })).tokenId
}

/** Rents a token for the paying party. */
export async function rent({ ledger }: Party, tokenId: TokenId, days: number) {
  const { rentalPricePerDay = wei(0n) } = (await ledger.listing(tokenId)) ?? {}
  const price = wei(rentalPricePerDay * BigInt(days))
  return ledger.rent({ tokenId, days, price, recipient: ledger.agent })
}

/** Buys a token for the paying party. */
export async function buy({ ledger }: Party, tokenId: TokenId) {
  const { price = wei(0n) } = (await ledger.listing(tokenId)) ?? {}
  return ledger.buy({ tokenId, price, recipient: ledger.agent })
}

/** Returns a token from the catalogue, and asserts that it exists. */
export async function readToken(
  harness: CatalogueHarness,
  tokenId: TokenId,
): Promise<CataloguedToken> {
  await harness.caughtUp()
  const token = await harness.catalogue.token(tokenId)
  assert.ok(token, `the catalogue has token ${tokenId}`)
  return token
}

/** Reads all pages of a list. */
export async function readAll<T>(
  page: (after: string | undefined) => Promise<Page<T> | undefined>,
): Promise<readonly T[]> {
  const items: T[] = []
  let after: string | undefined
  do {
    const read = await page(after)
    assert.ok(read, 'the list exists')
    items.push(...read.items)
    after = read.next
  } while (after !== undefined)
  return items
}

/** The query of all listings in any order. */
export const anyOrder = { sort: 'tokenId', descending: false, limit: 100 } as const

/** Returns the ids of all listings that match a query. */
export async function readListedIds(
  { catalogue }: CatalogueHarness,
  query: Partial<ListingsQuery>,
): Promise<readonly TokenId[]> {
  const found = await readAll((after) => catalogue.listings({ ...anyOrder, ...query, after }))
  return found.map(({ tokenId }) => tokenId)
}

/** Reads all events after an event. */
export async function readEventsAfter(
  { catalogue }: CatalogueHarness,
  after: string | undefined,
): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (let last = after; ; last = entries.at(-1)?.id ?? after) {
    const { entries: more } = await catalogue.eventsAfter(last, 3)
    if (more.length === 0) return entries
    entries.push(...more)
  }
}

/** Terms with any prices and always a royalty, so that they make a listing. */
export const arbitraryOffer = fc
  .record({
    price: arbitraryMaybePrice(),
    rentalPricePerDay: arbitraryMaybePrice(),
    forkPrice: arbitraryMaybePrice(),
    forkRoyaltyBps: fc.constantFrom(1, 500, 3333, 10_000),
  })
  .map((terms): Terms => terms)

function arbitraryMaybePrice() {
  return fc.oneof(fc.constant(wei(0n)), fc.constantFrom(wei(5n), wei(10n)), arbitraryCheapPrice)
}
