import { highestPrice, type Listing, nobody, type TokenId, wei, wholeBps } from '@heirloom/core'
import type { LedgerWorld } from '../harness.ts'
import type { Broken } from './broken.ts'
import { instead, ownersLedger, worldWith } from './faulty-harness.ts'

/** One world for each law of minting and listing. */
export const brokenMinters: readonly Broken<LedgerWorld>[] = [
  {
    law: 'names one registry, whoever signs',
    fault: 'names its wallet as the registry',
    open: worldWith(() => ({ registry, agent }) => ({
      registry: { ...registry, address: agent },
    })),
  },
  {
    law: 'records a mint as it was made',
    fault: 'forgets the parent of a mint',
    open: worldWith(() => {
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
    law: 'numbers tokens one after another from 1',
    fault: 'begins at 2',
    open: async () => {
      const world = await worldWith(() => () => ({}))()
      const ledger = world.parties[0]?.ledger
      const bytes = `0x${'01'.repeat(32)}` as never
      const first = { contentHash: bytes, digest: bytes, parent: undefined }
      await ledger?.mint({ ...first, recipient: ledger.agent })
      return world
    },
  },
  {
    law: 'mints to the recipient and names the payer as creator',
    fault: 'mints to the payer',
    open: worldWith(() => (inner) => ({
      mint: ({ recipient, ...token }) =>
        inner.mint({ ...token, recipient: recipient === nobody ? nobody : inner.agent }),
    })),
  },
  {
    law: 'tells the card of a mint that has one, and of no other',
    fault: 'tells but the first card of mints that come at once',
    open: worldWith(() => {
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
    open: worldWith(() => (inner) => ({
      mint: (token) =>
        instead('token/not-found', inner.mint(token), () =>
          inner.mint({ ...token, parent: token.parent && undefined }),
        ),
    })),
  },
  {
    law: 'refuses the parent 0 and the content hash 0',
    fault: 'takes the parent 0 for none',
    open: worldWith(() => (inner) => ({
      mint: (token) => inner.mint({ ...token, parent: token.parent || undefined }),
    })),
  },
  {
    law: 'refuses a recipient that cannot hold a token with `recipient/invalid`',
    fault: 'rents to the payer instead of nobody',
    open: worldWith(() => (inner) => ({
      rent: (rental) =>
        instead('recipient/invalid', inner.rent(rental), () =>
          inner.rent({ ...rental, recipient: inner.agent }),
        ),
    })),
  },
  {
    law: 'knows nothing of a token that was never minted',
    fault: 'shows a listing of every number',
    open: worldWith(() => (inner) => ({
      listing: async (tokenId) => (await inner.listing(tokenId)) ?? unlisted(tokenId),
    })),
  },
  {
    law: 'shows a listing as it was made',
    fault: 'spells the seller in lower case',
    open: worldWith(() => (inner) => ({
      listing: async (tokenId) => {
        const listing = await inner.listing(tokenId)
        return listing && { ...listing, seller: listing.seller.toLowerCase() as Listing['seller'] }
      },
    })),
  },
  {
    law: 'shows an unlisted token with zero prices and nobody as seller',
    fault: 'names a seller of what was never listed',
    open: worldWith(() => {
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
    fault: 'lets anyone list',
    open: worldWith(() => (inner, world) => ({
      list: (offer) =>
        instead('listing/not-owner', inner.list(offer), async () =>
          (await ownersLedger(world, offer.tokenId)).list(offer),
        ),
    })),
  },
  {
    law: 'refuses a share that is not 0 to 10000 whole basis points with `royalty/bad-share`',
    fault: 'lists the nearest share',
    open: worldWith(() => (inner) => ({
      list: ({ forkRoyaltyBps: share, ...offer }) => {
        const nearest = Math.min(Math.max(Math.trunc(share) || 0, 0), wholeBps)
        return inner.list({ ...offer, forkRoyaltyBps: nearest })
      },
    })),
  },
  {
    law: 'refuses a price above the limit with `listing/price-too-high`',
    fault: 'keeps the low 80 bits of a price',
    open: worldWith(() => (inner) => ({
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
  const owed = { effectiveRoyaltyBps: 0, totalRoyaltyBps: 0, canBeForked: true }
  return { tokenId, seller: nobody, ...terms, ...owed }
}
