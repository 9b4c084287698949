import { Failure, type nobody, type Terms, type TokenId, wei } from '@heirloom/core'
import { memoryWorld } from '../fakes/harness.ts'
import type { LedgerWorld, Party } from '../harness.ts'
import type { Broken } from './broken.ts'
import { falseReceipt, instead, ownerOf, ownersLedger, partIn, worldWith } from './faulty-harness.ts'

/** One world for each law of sales, forks and payments. */
export const brokenTraders: readonly Broken<LedgerWorld>[] = [
  {
    law: 'takes a listing down for ever when the token changes hands',
    fault: 'revives the listing when an owner comes back',
    open: async () => {
      const world = memoryWorld()
      const remembered = new Map<string, Terms & { readonly tokenId: TokenId }>()
      const reviving = (party: Party): Party => ({
        ...party,
        ledger: {
          ...party.ledger,
          list: (offer) => {
            remembered.set(partIn(offer.tokenId, party.ledger.agent), offer)
            return party.ledger.list(offer)
          },
        },
        transfer: async (tokenId, to) => {
          await party.transfer(tokenId, to)
          const offer = remembered.get(partIn(tokenId, to))
          if (offer) await (await ownersLedger(world, tokenId)).list(offer)
        },
      })
      return { ...world, parties: world.parties.map(reviving) }
    },
  },
  {
    law: 'sells at the exact price and pays the seller',
    fault: 'takes one wei more for a gift',
    open: worldWith(() => (inner) => ({
      buy: async (sale) => {
        const receipt = await inner.buy(sale)
        if (sale.recipient === inner.agent) return receipt
        return inner.payRoyalty({ tokenId: sale.tokenId, amount: wei(1n) })
      },
    })),
  },
  {
    law: 'refuses a purchase of what is not for sale with `listing/not-for-sale`',
    fault: 'sells for a day of rent what is only for rent',
    open: worldWith(() => (inner, world) => ({
      buy: (sale) =>
        instead('listing/not-for-sale', inner.buy(sale), async (error) => {
          const listing = await inner.listing(sale.tokenId)
          if (listing?.rentalPricePerDay !== sale.price) throw error
          const owner = await ownerOf(world, sale.tokenId)
          await owner.transfer(sale.tokenId, sale.recipient)
          return inner.payRoyalty({ tokenId: sale.tokenId, amount: sale.price })
        }),
    })),
  },
  {
    law: 'refuses a purchase at another price with `listing/price-changed`',
    fault: 'sells to whoever offers more',
    open: worldWith(() => (inner) => ({
      buy: async (sale) => {
        const { price = sale.price } = (await inner.listing(sale.tokenId)) ?? {}
        return inner.buy(price < sale.price ? { ...sale, price } : sale)
      },
    })),
  },
  {
    law: 'names the source of a token through licensed forks',
    fault: 'looks no further than the parent of a fork',
    open: worldWith(() => {
      const parents = new Map<TokenId, TokenId>()
      return (inner) => ({
        fork: async (fork) => {
          const receipt = await inner.fork(fork)
          parents.set(receipt.tokenId, fork.tokenId)
          return receipt
        },
        access: async (id, reader) => {
          const access = await inner.access(id, reader)
          const parent = parents.get(id)
          const record = parent && (await inner.provenance(parent))
          if (!(access && record)) return access
          return { ...access, source: { tokenId: record.tokenId, creator: record.creator } }
        },
      })
    }),
  },
  {
    law: 'forks with the content of the parent and the payer as creator',
    fault: 'names the recipient as creator',
    open: worldWith(() => {
      const creators = new Map<TokenId, typeof nobody>()
      return (inner) => ({
        fork: async (fork) => {
          const receipt = await inner.fork(fork)
          creators.set(receipt.tokenId, fork.recipient)
          return receipt
        },
        provenance: async (id) => {
          const record = await inner.provenance(id)
          return record && { ...record, creator: creators.get(id) ?? record.creator }
        },
      })
    }),
  },
  {
    law: 'refuses a fork of what is not for fork with `listing/not-for-fork`',
    fault: 'forks for nothing',
    open: worldWith(() => (inner) => ({
      fork: (fork) =>
        instead('listing/not-for-fork', inner.fork(fork), () => ({
          tokenId: fork.tokenId,
          ...falseReceipt,
        })),
    })),
  },
  {
    law: 'refuses a fork above the accepted total with `listing/royalty-changed`',
    fault: 'accepts every royalty',
    open: worldWith(() => (inner) => ({
      fork: (fork) =>
        instead('listing/royalty-changed', inner.fork(fork), () =>
          inner.fork({ ...fork, maxRoyaltyBps: 10_000 }),
        ),
    })),
  },
  {
    law: 'pays a royalty to the creator of the token',
    fault: 'pays the owner',
    open: worldWith(() => (inner, world) => ({
      payRoyalty: async (payment) => {
        const { tokenId } = payment
        const record = await inner.provenance(tokenId)
        const { ledger } = await ownerOf(world, tokenId)
        if (!record || record.creator === ledger.agent) {
          return inner.payRoyalty(payment)
        }
        const own = { ...record, parent: undefined, recipient: ledger.agent }
        return inner.payRoyalty({ ...payment, tokenId: (await ledger.mint(own)).tokenId })
      },
    })),
  },
  {
    law: 'refuses a write that the wallet cannot pay with `wallet/short`',
    fault: 'cannot tell why it failed',
    open: worldWith(() => (inner) => ({
      mint: (token) =>
        instead('wallet/short', inner.mint(token), () => {
          throw new Failure('transaction/reverted', falseReceipt)
        }),
    })),
  },
  {
    law: 'lets one of two racing buyers win',
    fault: 'tells both that they won',
    open: worldWith(() => {
      let racing = 0
      return (inner) => ({
        buy: async (sale) => {
          racing++
          await Promise.resolve()
          const isRace = racing > 1
          const bought = instead('listing/not-for-sale', inner.buy(sale), (error) => {
            if (isRace) return falseReceipt
            throw error
          })
          return bought.finally(() => racing--)
        },
      })
    }),
  },
]
