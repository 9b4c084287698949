import type { Told } from '@heirloom/adapters/webhooks'
import { type HistoryEntry, type TokenEvent, toSeconds } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { EventRecord } from '../../api/event-schemas.ts'

/** Returns an event as it is shown to clients. */
export function printedEvent(entry: HistoryEntry): Static<typeof EventRecord> {
  const { id, tokenId, block, at, txHash, logIndex } = entry
  const place = { block: `${block}`, timestamp: `${toSeconds(at)}`, txHash, logIndex }
  return { id, tokenId: `${tokenId}`, ...place, ...happening(entry) }
}

/** Returns what a webhook is told, as JSON. */
export function printedTold(told: Told): string {
  if (told.kind !== 'reorganised') return JSON.stringify(printedEvent(told))
  return JSON.stringify({ id: told.id, kind: told.kind, block: `${told.block}` })
}

type Of<kind extends TokenEvent['kind']> = Extract<TokenEvent, { readonly kind: kind }>

function happening(it: TokenEvent) {
  switch (it.kind) {
    case 'mint':
      return minted(it)
    case 'card':
      return { kind: it.kind, digest: it.digest }
    case 'transfer':
      return { kind: it.kind, from: it.from ?? null, to: it.to }
    case 'listing':
      return listed(it)
    case 'sale':
      return sold(it)
    case 'rental':
      return rented(it)
    case 'fork':
      return forked(it)
    case 'royalty':
      return { kind: it.kind, to: it.to, from: it.from, amount: `${it.amount}` }
  }
}

const minted = ({ kind, creator, parent, royaltyBps, contentHash }: Of<'mint'>) => ({
  ...{ kind, creator, parent: `${parent ?? 0n}`, royaltyBps: royaltyBps ?? null, contentHash },
})

const listed = (it: Of<'listing'>) => ({
  kind: it.kind,
  seller: it.seller,
  price: `${it.price}`,
  rentalPricePerDay: `${it.rentalPricePerDay}`,
  forkPrice: `${it.forkPrice}`,
  forkRoyaltyBps: it.forkRoyaltyBps,
})

const sold = ({ kind, seller, buyer, recipient, price }: Of<'sale'>) => ({
  ...{ kind, seller, buyer, recipient, price: `${price}` },
})

const rented = ({ kind, owner, renter, payer, expiresAt, paid }: Of<'rental'>) => ({
  ...{ kind, owner, renter, payer, expiresAt: `${toSeconds(expiresAt)}`, paid: `${paid}` },
})

const forked = ({ kind, child, forker, recipient, royaltyBps, price }: Of<'fork'>) => ({
  ...{ kind, child: `${child}`, forker, recipient, royaltyBps, price: `${price}` },
})
