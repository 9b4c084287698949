import {
  acquireInDollars,
  endOf,
  ledgerFor,
  type Performed,
  royaltyInDollars,
  tokenOf,
} from '@heirloom/adapters/internal/wallet'
import {
  account,
  buy,
  dollars,
  fork,
  list,
  rent,
  rentalDays,
  royalty,
  tokenId,
  toSeconds,
  wei,
} from '@heirloom/core'
import { readDollars } from '../api/encode-records.ts'
import { mapPrices } from '../api/prices.ts'
import type { AmountInput, TokenIdInput } from '../client/requests.ts'
import { encodeAmount, encodePrices, encodeTokenId } from '../client/transport/request-line.ts'
import { type Actor, idempotencyOf } from './actor.ts'
import type { Acts, OwnAcquireInput } from './wallet.ts'

/** Returns the acts of the marketplace, with the decisions that a server makes for its agent. */
export function marketActs(actor: Actor): Pick<Acts, 'list' | 'buy' | 'rent' | 'fork' | 'royalty'> {
  return {
    list: async ({ tokenId: id, forkRoyaltyBps, dollars: inDollars, ...prices }, options = {}) => {
      const terms = {
        ...mapPrices(prices, readAmount),
        forkRoyaltyBps,
        dollars: readDollars(inDollars && encodePrices(inDollars, 'dollars.')),
      }
      const input = { tokenId: readTokenId(id), ...terms }
      const idempotency = idempotencyOf(options, 'list', input)
      return list({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
    },
    ...acquiringActs(actor),
    royalty: async (id, terms, options = {}) => {
      const of = readTokenId(id)
      if ('dollars' in terms) {
        const input = { tokenId: of, amount: dollars(encodeAmount(terms.dollars, 'dollars')) }
        const idempotency = idempotencyOf(options, 'royalty', { ...input, currency: 'dollar' })
        return receiptOf(await royaltyInDollars(actor, input, { idempotency, options }))
      }
      const input = { tokenId: of, amount: readAmount(terms.amount, 'amount') }
      const idempotency = idempotencyOf(options, 'royalty', input)
      return royalty({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
    },
  }
}

function acquiringActs(actor: Actor): Pick<Acts, 'buy' | 'rent' | 'fork'> {
  return {
    buy: async (id, terms = {}, options = {}) => {
      const { maxDollars, ...input } = await readAcquisition(actor, id, terms)
      const idempotency = idempotencyOf(options, 'buy', { ...input, maxDollars })
      const acquisition = { act: 'buy', ...input, maxDollars } as const
      const ordered = await acquireInDollars(actor, acquisition, { idempotency, options })
      if (ordered !== undefined) return receiptOf(ordered)
      return buy({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
    },
    rent: async (id, { durationDays, ...terms }, options = {}) => {
      const days = rentalDays(durationDays)
      const { maxDollars, ...input } = { ...(await readAcquisition(actor, id, terms)), days }
      const idempotency = idempotencyOf(options, 'rent', { ...input, maxDollars })
      const acquisition = { act: 'rent', ...input, maxDollars } as const
      const ordered = await acquireInDollars(actor, acquisition, { idempotency, options })
      const rented = ordered
        ? { txHash: ordered.txHash, expiresAt: endOf(ordered) }
        : await rent({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
      return { txHash: rented.txHash, expiresAt: `${toSeconds(rented.expiresAt)}` }
    },
    fork: async (id, { maxRoyaltyBps, ...terms } = {}, options = {}) => {
      const read = await readAcquisition(actor, id, terms)
      const { maxDollars, ...input } = { ...read, maxRoyaltyBps }
      const idempotency = idempotencyOf(options, 'fork', { ...input, maxDollars })
      const acquisition = { act: 'fork', ...input, maxDollars } as const
      const ordered = await acquireInDollars(actor, acquisition, { idempotency, options })
      const child = ordered
        ? { txHash: ordered.txHash, tokenId: tokenOf(ordered) }
        : await fork({ ledger: ledgerFor(actor, options) }, { ...input, idempotency })
      return { txHash: child.txHash, tokenId: `${child.tokenId}` }
    },
  }
}

async function readAcquisition(
  actor: Actor,
  id: TokenIdInput,
  { recipient, maxPrice, maxDollars }: OwnAcquireInput,
) {
  const of = readTokenId(id)
  await actor.refuseCopied(of)
  return {
    tokenId: of,
    recipient: account(recipient ?? actor.agent),
    ...(maxPrice === undefined ? {} : { maxPrice: readAmount(maxPrice, 'maxPrice') }),
    ...(maxDollars === undefined
      ? {}
      : { maxDollars: dollars(encodeAmount(maxDollars, 'maxDollars')) }),
  }
}

function receiptOf(performed: Performed | undefined): Pick<Performed, 'txHash'> {
  if (performed === undefined) throw new Error('The act performed nothing.')
  return { txHash: performed.txHash }
}

const readTokenId = (id: TokenIdInput) => tokenId(encodeTokenId(id))
const readAmount = (amount: AmountInput, field: string) => wei(encodeAmount(amount, field))
