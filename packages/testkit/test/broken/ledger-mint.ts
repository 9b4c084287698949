import {
  forkRoyaltyOfShares,
  highestPrice,
  type Listing,
  nobody,
  type TokenId,
  wei,
  wholeBps,
} from '@heirloom/core'
import type { LedgerHarness } from '../../src/harness.ts'
import { type Broken, faultyHarness, ownersLedger, recoverFrom } from './faulty-harness.ts'

/** A harness with broken ledgers for each law of mints and listings. */
export const brokenMints: readonly Broken<LedgerHarness>[] = [
  {
    law: 'names the same registry for every wallet',
    fault: 'names its wallet as the registry',
    open: faultyHarness(() => ({ registry, agent }) => ({
      registry: { ...registry, address: agent },
    })),
  },
  {
    law: 'records the content, parent and owner of a mint',
    fault: 'loses the parent of a mint',
    open: faultyHarness(() => {
      const minted = new Set<TokenId>()
      return (inner) => ({
        mint: async (token) => {
          const receipt = await inner.mint(token)
          minted.add(receipt.tokenId)
          return receipt
        },
        provenance: async (id) => {
          const record = await inner.provenance(id)
          return record && minted.has(id) ? { ...record, parent: undefined } : record
        },
      })
    }),
  },
  {
    law: 'numbers tokens consecutively from 1',
    fault: 'starts at 2',
    open: async () => {
      const harness = await faultyHarness(() => () => ({}))()
      const ledger = harness.parties[0]?.ledger
      const bytes = `0x${'01'.repeat(32)}` as never
      const first = { contentHash: bytes, digest: bytes, parent: undefined }
      await ledger?.mint({ ...first, recipient: ledger.agent })
      return harness
    },
  },
  {
    law: 'mints to the recipient and names the payer as creator',
    fault: 'mints to the payer',
    open: faultyHarness(() => (inner) => ({
      mint: ({ recipient, ...token }) =>
        inner.mint({ ...token, recipient: recipient === nobody ? nobody : inner.agent }),
    })),
  },
  {
    law: 'emits the card of a mint that has one and of no other',
    fault: 'emits only the first card of concurrent mints',
    open: faultyHarness(() => {
      let active = 0
      return (inner) => ({
        mint: ({ card, ...token }) => {
          const shown = active++ === 0 ? card : undefined
          return inner.mint({ ...token, card: shown }).finally(() => active--)
        },
      })
    }),
  },
  {
    law: 'refuses an unknown parent with `token/not-found`',
    fault: 'mints a root when the parent is unknown',
    open: faultyHarness(() => (inner) => ({
      mint: (token) =>
        recoverFrom('token/not-found', inner.mint(token), () =>
          inner.mint({ ...token, parent: token.parent && undefined }),
        ),
    })),
  },
  {
    law: 'refuses the parent 0 and the content hash 0',
    fault: 'treats the parent 0 as none',
    open: faultyHarness(() => (inner) => ({
      mint: (token) => inner.mint({ ...token, parent: token.parent || undefined }),
    })),
  },
  {
    law: 'refuses a recipient that cannot hold a token with `recipient/invalid`',
    fault: 'rents to the payer instead of the zero address',
    open: faultyHarness(() => (inner) => ({
      rent: (rental) =>
        recoverFrom('recipient/invalid', inner.rent(rental), () =>
          inner.rent({ ...rental, recipient: inner.agent }),
        ),
    })),
  },
  {
    law: 'returns nothing for a token that was never minted',
    fault: 'returns a listing for every token id',
    open: faultyHarness(() => (inner) => ({
      listing: async (tokenId) => (await inner.listing(tokenId)) ?? unlisted(tokenId),
    })),
  },
  {
    law: 'returns a listing as it was made',
    fault: 'returns the seller in lower case',
    open: faultyHarness(() => (inner) => ({
      listing: async (tokenId) => {
        const listing = await inner.listing(tokenId)
        return listing && { ...listing, seller: listing.seller.toLowerCase() as Listing['seller'] }
      },
    })),
  },
  {
    law: 'returns zero prices and the zero address as seller for an unlisted token',
    fault: 'names a seller of a token that was never listed',
    open: faultyHarness(() => {
      const listed = new Set<TokenId>()
      return (inner) => ({
        list: (offer) => {
          listed.add(offer.tokenId)
          return inner.list(offer)
        },
        listing: async (tokenId) => {
          const listing = await inner.listing(tokenId)
          if (listing === undefined || listed.has(tokenId)) return listing
          return { ...listing, seller: inner.agent }
        },
      })
    }),
  },
  {
    law: 'refuses a listing by anyone but the owner with `listing/not-owner`',
    fault: 'lets anyone list a token',
    open: faultyHarness(() => (inner, harness) => ({
      list: (offer) =>
        recoverFrom('listing/not-owner', inner.list(offer), async () =>
          (await ownersLedger(harness, offer.tokenId)).list(offer),
        ),
    })),
  },
  {
    law: 'refuses a share that is not 0 to 10000 whole basis points with `royalty/bad-share`',
    fault: 'lists the nearest valid share',
    open: faultyHarness(() => (inner) => ({
      list: ({ forkRoyaltyBps: share, ...offer }) => {
        const nearest = Math.min(Math.max(Math.trunc(share) || 0, 0), wholeBps)
        return inner.list({ ...offer, forkRoyaltyBps: nearest })
      },
    })),
  },
  {
    law: 'refuses a price above the limit with `listing/price-too-high`',
    fault: 'truncates a price to 80 bits',
    open: faultyHarness(() => (inner) => ({
      list: ({ price, rentalPricePerDay, forkPrice, ...offer }) =>
        inner.list({
          ...offer,
          price: wei(price & highestPrice),
          rentalPricePerDay: wei(rentalPricePerDay & highestPrice),
          forkPrice: wei(forkPrice & highestPrice),
        }),
    })),
  },
]

function unlisted(tokenId: TokenId): Listing {
  const zero = wei(0n)
  const terms = { price: zero, rentalPricePerDay: zero, forkPrice: zero, forkRoyaltyBps: 0 }
  const owed = forkRoyaltyOfShares({ shares: [], depth: 0, royaltyBps: 0 })
  return { tokenId, seller: nobody, ...terms, ...owed }
}
