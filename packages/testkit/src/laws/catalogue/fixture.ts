import assert from 'node:assert/strict'
import {
  type CardOf,
  type CataloguedToken,
  type Digest,
  day,
  digest,
  documentOfCard,
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
import type { CatalogueWorld, Party } from '../../harness.ts'
import { accountOf, arbitraryCheapPrice, noTerms } from '../ledger/fixture.ts'

let minted = 0

/** Returns a content hash that no other token of a world has. */
export function freshContent(): Hash {
  minted += 1
  return hash(`0x${minted.toString(16).padStart(8, '0')}${'c0'.repeat(28)}`)
}

/** What a test says of a mint. */
type Mint = {
  readonly contentHash?: Hash
  /** Of the sealed bundle; one that is nowhere when absent. */
  readonly digest?: Digest
  readonly parent?: TokenId
  readonly to?: Party
  /** The card, as its block is; one that speaks of the memory when it is given as such. */
  readonly card?: CardOf['card'] | Uint8Array
}

/** Mints a token, of new content unless told. */
export async function mint(
  world: CatalogueWorld,
  { ledger }: Party,
  { contentHash = freshContent(), digest: given, parent, to, card }: Mint = {},
): Promise<TokenId> {
  const block = card instanceof Uint8Array ? card : card && documentOfCard({ card, contentHash })
  const kept = block && (await world.keepCard(block))
  const storage = given ?? digest(`0x${contentHash.slice(10)}${contentHash.slice(2, 10)}`)
  const recipient = to ? accountOf(to) : ledger.agent
  const token = { contentHash, digest: storage, parent, recipient, card: kept }
  return (await ledger.mint(token)).tokenId
}

/** Lists a token of a party on some terms. */
export const list = ({ ledger }: Party, tokenId: TokenId, terms: Partial<Terms>) =>
  ledger.list({ ...noTerms, ...terms, tokenId })

/** Forks a token for the party that pays. */
export async function fork({ ledger }: Party, tokenId: TokenId): Promise<TokenId> {
  const { forkPrice: price = wei(0n) } = (await ledger.listing(tokenId)) ?? {}
  const recipient = ledger.agent
  return (await ledger.fork({ tokenId, price, maxRoyaltyBps: 10_000, recipient })).tokenId
}

/** Rents a token for the party that pays. */
export async function rent({ ledger }: Party, tokenId: TokenId, days: number) {
  const { rentalPricePerDay = wei(0n) } = (await ledger.listing(tokenId)) ?? {}
  const price = wei(rentalPricePerDay * BigInt(days))
  return ledger.rent({ tokenId, days, price, recipient: ledger.agent })
}

/** Buys a token for the party that pays. */
export async function buy({ ledger }: Party, tokenId: TokenId) {
  const { price = wei(0n) } = (await ledger.listing(tokenId)) ?? {}
  return ledger.buy({ tokenId, price, recipient: ledger.agent })
}

/** Returns what the catalogue tells of a token that it must know. */
export async function told(world: CatalogueWorld, tokenId: TokenId): Promise<CataloguedToken> {
  await world.caughtUp()
  const token = await world.catalogue.token(tokenId)
  assert.ok(token, `the catalogue knows token ${tokenId}`)
  return token
}

/** Reads a list to its end, a few at a time. */
export async function all<T>(
  page: (after: string | undefined) => Promise<Page<T> | undefined>,
): Promise<readonly T[]> {
  const items: T[] = []
  let after: string | undefined
  do {
    const read = await page(after)
    assert.ok(read, 'there is a list')
    items.push(...read.items)
    after = read.next
  } while (after !== undefined)
  return items
}

/** Listings as they come when nobody cares. */
export const anyOrder = { sort: 'tokenId', descending: false, limit: 100 } as const

/** Returns the ids of all listings that a query wants. */
export async function listed(
  { catalogue }: CatalogueWorld,
  query: Partial<ListingsQuery>,
): Promise<readonly TokenId[]> {
  const found = await all((after) => catalogue.listings({ ...anyOrder, ...query, after }))
  return found.map(({ tokenId }) => tokenId)
}

/** Reads all that happened after an event. */
export async function happenedAfter(
  { catalogue }: CatalogueWorld,
  after: string | undefined,
): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (let last = after; ; last = entries.at(-1)?.id ?? after) {
    const { entries: more } = await catalogue.happened(last, 3)
    if (more.length === 0) return entries
    entries.push(...more)
  }
}

/** Terms that offer a token in some ways, and never in none. */
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

/** Lets the longest rental of a few days end. */
export const aWeek = 7 * day
