import { Failure, type nobody, type Terms, type TokenId, wei } from '@heirloom/core'
import { memoryHarness } from '../../src/fakes/harness.ts'
import type { LedgerHarness, Party } from '../../src/harness.ts'
import {
  type Broken,
  falseReceipt,
  faultyHarness,
  ownerOf,
  ownersLedger,
  recoverFrom,
  shareKey,
} from './faulty-harness.ts'

/** A harness with broken ledgers for each law of sales, forks and payments. */
export const brokenTrades: readonly Broken<LedgerHarness>[] = [
  {
    law: 'ends a listing for ever when the token is transferred',
    fault: 'restores the listing when a former owner gets the token back',
    open: async () => {
      const harness = memoryHarness()
      const offers = new Map<string, Terms & { readonly tokenId: TokenId }>()
      const faulty = (party: Party): Party => ({
        ...party,
        ledger: {
          ...party.ledger,
          list: (offer) => {
            offers.set(shareKey(offer.tokenId, party.ledger.agent), offer)
            return party.ledger.list(offer)
          },
        },
        transfer: async (tokenId, to) => {
          await party.transfer(tokenId, to)
          const offer = offers.get(shareKey(tokenId, to))
          if (offer) await (await ownersLedger(harness, tokenId)).list(offer)
        },
      })
      return { ...harness, parties: harness.parties.map(faulty) }
    },
  },
  {
    law: 'sells at the exact price and pays the seller',
    fault: 'charges one wei more for another recipient',
    open: faultyHarness(() => (inner) => ({
      buy: async (sale) => {
        const receipt = await inner.buy(sale)
        if (sale.recipient === inner.agent) return receipt
        return inner.payRoyalty({ tokenId: sale.tokenId, amount: wei(1n) })
      },
    })),
  },
  {
    law: 'refuses to sell a token that is not for sale with `listing/not-for-sale`',
    fault: 'sells a token that is only for rent at the price of a day',
    open: faultyHarness(() => (inner, harness) => ({
      buy: (sale) =>
        recoverFrom('listing/not-for-sale', inner.buy(sale), async (error) => {
          const listing = await inner.listing(sale.tokenId)
          if (listing?.rentalPricePerDay !== sale.price) throw error
          const owner = await ownerOf(harness, sale.tokenId)
          await owner.transfer(sale.tokenId, sale.recipient)
          return inner.payRoyalty({ tokenId: sale.tokenId, amount: sale.price })
        }),
    })),
  },
  {
    law: 'refuses to sell at another price with `listing/price-changed`',
    fault: 'sells to a buyer who offers more',
    open: faultyHarness(() => (inner) => ({
      buy: async (sale) => {
        const { price = sale.price } = (await inner.listing(sale.tokenId)) ?? {}
        return inner.buy(price < sale.price ? { ...sale, price } : sale)
      },
    })),
  },
  {
    law: 'counts the transfers of a token, each sale among them',
    fault: 'counts no transfer',
    open: faultyHarness(() => (inner) => ({
      holding: async (tokenId) => {
        const holding = await inner.holding(tokenId)
        return holding && { ...holding, transferCount: 0n }
      },
    })),
  },
  {
    law: 'returns the source of a token through its licensed forks',
    fault: 'returns the parent of a fork as its source',
    open: faultyHarness(() => {
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
    open: faultyHarness(() => {
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
    law: 'refuses to fork a token that is not for fork with `listing/not-for-fork`',
    fault: 'forks a token that is not for fork at no price',
    open: faultyHarness(() => (inner) => ({
      fork: (fork) =>
        recoverFrom('listing/not-for-fork', inner.fork(fork), () => ({
          tokenId: fork.tokenId,
          ...falseReceipt,
        })),
    })),
  },
  {
    law: 'refuses a fork whose royalties exceed the accepted total with `listing/royalty-changed`',
    fault: 'accepts every royalty',
    open: faultyHarness(() => (inner) => ({
      fork: (fork) =>
        recoverFrom('listing/royalty-changed', inner.fork(fork), () =>
          inner.fork({ ...fork, maxRoyaltyBps: 10_000 }),
        ),
    })),
  },
  {
    law: 'pays a royalty to the creator of the token',
    fault: 'pays the owner',
    open: faultyHarness(() => (inner, harness) => ({
      payRoyalty: async (payment) => {
        const { tokenId } = payment
        const record = await inner.provenance(tokenId)
        const { ledger } = await ownerOf(harness, tokenId)
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
    fault: 'fails with the wrong code',
    open: faultyHarness(() => (inner) => ({
      mint: (token) =>
        recoverFrom('wallet/short', inner.mint(token), () => {
          throw new Failure('transaction/reverted', falseReceipt)
        }),
    })),
  },
  {
    law: 'lets one of two racing buyers win',
    fault: 'reports success to both buyers',
    open: faultyHarness(() => {
      let racing = 0
      return (inner) => ({
        buy: async (sale) => {
          racing++
          await Promise.resolve()
          const isRace = racing > 1
          const bought = recoverFrom('listing/not-for-sale', inner.buy(sale), (error) => {
            if (isRace) return falseReceipt
            throw error
          })
          return bought.finally(() => racing--)
        },
      })
    }),
  },
]
