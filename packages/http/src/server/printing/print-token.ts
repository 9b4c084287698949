import { type CataloguedToken, linkOf, type Relative, storageUri, toSeconds } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { ListedTerms, TokenRecord } from '../../api/catalogue-schemas.ts'
import { encodeDollars } from '../../api/encode-dollars.ts'

/** Encodes a token for clients. */
export function printToken(token: CataloguedToken): Static<typeof TokenRecord> {
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
    ...(token.family && { family: { ...token.family, tokenId: `${token.family.tokenId}` } }),
  }
}

/** Encodes a relative of a token for clients. */
export const printRelative = ({ token, link }: Relative) => ({
  token: printToken(token),
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
  const { owner, terms, listedAt, effectiveRoyaltyBps, totalRoyaltyBps, canBeForked } = token
  if (listedAt === undefined) return null
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  return {
    seller: owner,
    price: `${price}`,
    rentalPricePerDay: `${rentalPricePerDay}`,
    forkPrice: `${forkPrice}`,
    forkRoyaltyBps,
    isForSale: price > 0n,
    isForRent: rentalPricePerDay > 0n,
    isForFork: forkPrice > 0n,
    listedAt: `${toSeconds(listedAt)}`,
    effectiveRoyaltyBps,
    totalRoyaltyBps,
    canBeForked,
    ...encodeDollars(terms),
  }
}
