import type { WebhookMessage } from '@heirloom/adapters/webhooks'
import { type HistoryEntry, type TokenEvent, toSeconds } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { EventRecord } from '../../api/event-schemas.ts'

/** Encodes an event for clients. */
export function printEvent(entry: HistoryEntry): Static<typeof EventRecord> {
  const { id, tokenId, block, at, txHash, logIndex } = entry
  const position = { block: `${block}`, timestamp: `${toSeconds(at)}`, txHash, logIndex }
  return { id, tokenId: `${tokenId}`, ...position, ...details(entry) }
}

/** Encodes a delivery to a webhook, as JSON. */
export function printDelivery(event: WebhookMessage): string {
  if (event.kind !== 'reorganised') return JSON.stringify(printEvent(event))
  return JSON.stringify({ id: event.id, kind: event.kind, block: `${event.block}` })
}

type Of<kind extends TokenEvent['kind']> = Extract<TokenEvent, { readonly kind: kind }>

function details(it: TokenEvent) {
  switch (it.kind) {
    case 'mint':
      return mintDetails(it)
    case 'card':
      return { kind: it.kind, digest: it.digest }
    case 'transfer':
      return { kind: it.kind, from: it.from ?? null, to: it.to }
    case 'listing':
      return listingDetails(it)
    case 'sale':
      return saleDetails(it)
    case 'rental':
      return rentalDetails(it)
    case 'fork':
      return forkDetails(it)
    case 'royalty':
      return { kind: it.kind, to: it.to, from: it.from, amount: `${it.amount}` }
  }
}

const mintDetails = ({ kind, creator, parent, royaltyBps, contentHash }: Of<'mint'>) => ({
  ...{ kind, creator, parent: `${parent ?? 0n}`, royaltyBps: royaltyBps ?? null, contentHash },
})

const listingDetails = (it: Of<'listing'>) => ({
  kind: it.kind,
  seller: it.seller,
  price: `${it.price}`,
  rentalPricePerDay: `${it.rentalPricePerDay}`,
  forkPrice: `${it.forkPrice}`,
  forkRoyaltyBps: it.forkRoyaltyBps,
})

const saleDetails = ({ kind, seller, buyer, recipient, price }: Of<'sale'>) => ({
  ...{ kind, seller, buyer, recipient, price: `${price}` },
})

const rentalDetails = ({ kind, owner, renter, payer, expiresAt, paid }: Of<'rental'>) => ({
  ...{ kind, owner, renter, payer, expiresAt: `${toSeconds(expiresAt)}`, paid: `${paid}` },
})

const forkDetails = ({ kind, child, forker, recipient, royaltyBps, price }: Of<'fork'>) => ({
  ...{ kind, child: `${child}`, forker, recipient, royaltyBps, price: `${price}` },
})
