import type { WebhookMessage } from '@heirloom/adapters/webhooks'
import {
  type CataloguedToken,
  type Currency,
  claimsOn,
  convertEvent,
  currencyOf,
  dollarDecimals,
  type EventCodec,
  type EventFieldValues,
  type HistoryEntry,
  type Lineage,
  linkOf,
  type Relative,
  type Split,
  splitPrice,
  storageUri,
  toSeconds,
  wei,
} from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { encodeListing } from '../../api/encode-records.ts'
import type { ListedTerms, TokenRecord } from '../../api/schemas/catalogue-schemas.ts'
import type { EventFieldJson, EventRecord } from '../../api/schemas/event-schemas.ts'
import { assetOf } from '../../api/signed-texts.ts'
import type { Deployment } from './deployment.ts'

/** The chain and the registry of the tokens of a server. */
export type TokenPlace = Pick<Deployment, 'chainId' | 'registry'>

/** Returns what encodes a token for clients. */
export const printToken = (place: TokenPlace) => (token: CataloguedToken) => ({
  asset: assetOf(place, token.tokenId),
  ...printFacts(token),
})

function printFacts(token: CataloguedToken): Static<typeof TokenRecord> {
  const { tokenId, contentHash, creator, owner, parent, royaltyBps } = token
  const { block, txHash } = token.mintedIn
  return {
    tokenId: `${tokenId}`,
    contentHash,
    storageUri: storageUri(token.digest),
    creator,
    owner,
    parent: `${parent ?? 0n}`,
    link: linkOf(token) ?? null,
    royaltyBps: royaltyBps ?? null,
    timestamp: `${toSeconds(token.mintedAt)}`,
    block: `${block}`,
    txHash,
    erasedAt: token.erasedAt === undefined ? null : `${toSeconds(token.erasedAt)}`,
    originality: token.originality,
    card: cardOf(token),
    sample: sampleOf(token),
    listing: listingOf(token),
    ...(token.source && { source: { ...token.source, tokenId: `${token.source.tokenId}` } }),
    ...(token.renters !== undefined && { renters: token.renters }),
    ...(token.family && { family: { ...token.family, tokenId: `${token.family.tokenId}` } }),
  }
}

/** Returns what encodes a relative of a token for clients. */
export const printRelative =
  (place: TokenPlace) =>
  ({ token, link }: Relative) => ({
    token: printToken(place)(token),
    link: link ?? null,
  })

function cardOf({ card }: CataloguedToken) {
  if (card === undefined) return null
  const { tags, ...texts } = card
  return tags === undefined ? texts : { ...texts, tags: [...tags] }
}

function sampleOf({ sample }: CataloguedToken) {
  if (sample === undefined) return null
  const { mark, root, excerpts } = sample
  return { mark, root, excerpts: excerpts.map(({ pointer, value }) => ({ pointer, value })) }
}

function listingOf(token: CataloguedToken): Static<typeof ListedTerms> | null {
  const { owner: seller, terms, listedAt, ...royalty } = token
  if (listedAt === undefined) return null
  return {
    ...encodeListing({ seller, ...royalty, ...terms }),
    listedAt: `${toSeconds(listedAt)}`,
  }
}

const codec: EventCodec<EventFieldValues, EventFieldJson> = {
  account: (account) => account,
  'account?': (account) => account ?? null,
  tokenId: String,
  'tokenId?': (tokenId) => String(tokenId ?? 0n),
  amount: String,
  dollars: String,
  bps: (share) => share,
  'bps?': (share) => share ?? null,
  hash: (hash) => hash,
  digest: (digest) => digest,
  days: (days) => days,
  instant: (instant) => String(toSeconds(instant)),
}

/** Encodes an event for clients. */
export function printEvent(entry: HistoryEntry): Static<typeof EventRecord> {
  const { id, tokenId, block, at, txHash, logIndex } = entry
  const position = { block: `${block}`, timestamp: `${toSeconds(at)}`, txHash, logIndex }
  return { id, tokenId: `${tokenId}`, ...position, ...convertEvent(entry, codec) }
}

/** Encodes a delivery to a webhook, as JSON. */
export function printDelivery(event: WebhookMessage): string {
  if (event.kind !== 'reorganised') return JSON.stringify(printEvent(event))
  return JSON.stringify({ id: event.id, kind: event.kind, block: `${event.block}` })
}

/** A price and its parts: a royalty for each claim, oldest first, and the rest for the seller. */
type RoyaltySplit = Split & { readonly price: bigint; readonly currency: Currency }

/** One ether, and one dollar. */
const one = { native: 10n ** 18n, dollar: 10n ** BigInt(dollarDecimals) }

/**
 * Splits the given price of a token, in the currency of its listing; by default its own if it is for
 * sale, else 1 ether or 1 dollar.
 */
export function splitRoyalties(
  { token, ancestors }: Lineage,
  given: bigint | undefined,
): RoyaltySplit {
  const currency = currencyOf(token.terms)
  const own = (token.terms.dollars ?? token.terms).price
  const price = given ?? (own > 0n ? own : one[currency])
  const claims = claimsOn([token, ...ancestors.map((it) => it.token)])
  // The arithmetic of a split is the same in every currency.
  return { price, currency, ...splitPrice(wei(price), claims) }
}
