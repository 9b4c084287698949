import { account, buy, fork, list, rent, royalty, tokenId, toSeconds, wei } from '@heirloom/core'
import { readDollars } from '../api/encode-dollars.ts'
import type { AcquireInput, AmountInput, TokenIdInput } from '../client/requests.ts'
import { encodeAmount, encodePrices, encodeTokenId } from '../client/transport/encode-values.ts'
import { type Actor, idempotencyOf, ledgerFor } from './actor.ts'
import type { Acts } from './wallet.ts'

/** Returns the acts of the marketplace, with the decisions that a server makes for its agent. */
export function marketActs(actor: Actor): Pick<Acts, 'list' | 'buy' | 'rent' | 'fork' | 'royalty'> {
  const acquisition = async (id: TokenIdInput, { recipient, maxPrice }: AcquireInput) => {
    const of = readTokenId(id)
    await actor.refuseCopy(of)
    const limit = maxPrice === undefined ? {} : { maxPrice: readAmount(maxPrice) }
    return { tokenId: of, recipient: account(recipient ?? actor.agent), ...limit }
  }
  return {
    list: async ({ tokenId: id, forkRoyaltyBps, dollars, ...prices }, options = {}) => {
      const terms = {
        price: readAmount(prices.price),
        rentalPricePerDay: readAmount(prices.rentalPricePerDay),
        forkPrice: readAmount(prices.forkPrice),
        forkRoyaltyBps,
        dollars: readDollars(dollars && encodePrices(dollars)),
      }
      const input = { tokenId: readTokenId(id), ...terms }
      const idempotency = idempotencyOf(options, 'list', input)
      return list({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
    },
    buy: async (id, terms = {}, options = {}) => {
      const input = await acquisition(id, terms)
      const idempotency = idempotencyOf(options, 'buy', input)
      return buy({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
    },
    rent: async (id, { durationDays: days, ...terms }, options = {}) => {
      const input = { ...(await acquisition(id, terms)), days }
      const idempotency = idempotencyOf(options, 'rent', input)
      const rented = await rent({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
      return { txHash: rented.txHash, expiresAt: `${toSeconds(rented.expiresAt)}` }
    },
    fork: async (id, { maxRoyaltyBps, ...terms } = {}, options = {}) => {
      const input = { ...(await acquisition(id, terms)), maxRoyaltyBps }
      const idempotency = idempotencyOf(options, 'fork', input)
      const child = await fork({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
      return { txHash: child.txHash, tokenId: `${child.tokenId}` }
    },
    royalty: async (id, { amount }, options = {}) => {
      const input = { tokenId: readTokenId(id), amount: readAmount(amount) }
      const idempotency = idempotencyOf(options, 'royalty', input)
      return royalty({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
    },
  }
}

const readTokenId = (id: TokenIdInput) => tokenId(encodeTokenId(id))
const readAmount = (amount: AmountInput) => wei(encodeAmount(amount))
