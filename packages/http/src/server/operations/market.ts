import { type Account, Failure, tokenId, toSeconds, type Wei, wei } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { readAddress } from '../../api/address.ts'
import { readDollars } from '../../api/encode-records.ts'
import type { marketOperations } from '../../api/operations/market.ts'
import { mapPrices } from '../../api/prices.ts'
import type { AcquireBody } from '../../api/schemas/market-schemas.ts'
import type { ServiceFor } from '../keys/tenants.ts'
import type { Handlers } from './serve-operation.ts'

type Verb = keyof typeof marketOperations

/** Returns what makes the write of a request once, and what pays for it. */
const once = ({ idempotency, caller }: Pick<FastifyRequest, 'idempotency' | 'caller'>) => ({
  idempotency,
  budget: caller,
})

/** Returns the handlers of the marketplace, whose acts the wallet of the caller pays. */
export const marketHandlers = (serviceFor: ServiceFor<Verb>): Handlers<Verb> => ({
  list: async (request) => {
    const { tokenId: id, forkRoyaltyBps, dollars, ...prices } = request.body
    const { txHash } = await serviceFor(request.caller).list({
      tokenId: tokenId(id),
      ...mapPrices(prices, (it) => wei(it)),
      forkRoyaltyBps,
      dollars: readDollars(dollars),
      ...once(request),
    })
    return { txHash }
  },
  buy: async (request) => {
    const id = tokenId(request.params.tokenId)
    const input = { tokenId: id, ...readAcquisition(request.body), ...once(request) }
    const { txHash } = await serviceFor(request.caller).buy(input)
    return { txHash }
  },
  rent: async (request) => {
    const id = tokenId(request.params.tokenId)
    const { durationDays: days, ...limits } = request.body
    const input = { tokenId: id, days, ...readAcquisition(limits), ...once(request) }
    const { txHash, expiresAt } = await serviceFor(request.caller).rent(input)
    return { txHash, expiresAt: `${toSeconds(expiresAt)}` }
  },
  fork: async (request) => {
    const id = tokenId(request.params.tokenId)
    const { maxRoyaltyBps, ...limits } = request.body
    const input = { tokenId: id, maxRoyaltyBps, ...readAcquisition(limits), ...once(request) }
    const child = await serviceFor(request.caller).fork(input)
    return { txHash: child.txHash, tokenId: `${child.tokenId}` }
  },
  royalty: async (request) => {
    const id = tokenId(request.params.tokenId)
    const input = { tokenId: id, amount: wei(request.body.amount), ...once(request) }
    const { txHash } = await serviceFor(request.caller).royalty(input)
    return { txHash }
  },
})

/** The known members of the body of a purchase, a rental or a fork. */
const known = ['durationDays', 'maxPrice', 'maxRoyaltyBps', 'recipient']

/**
 * Reads the recipient and the price limit of an acquisition. Refuses a member that looks like a
 * misspelt limit, because the request would be paid without the limit.
 *
 * @throws `request/malformed`, `value/invalid`
 */
function readAcquisition(body: Static<typeof AcquireBody>): {
  readonly recipient: Account | undefined
  readonly maxPrice: Wei | undefined
} {
  const { recipient, maxPrice } = body
  const misspelt = Object.keys(body).find(
    (name) => !known.includes(name) && /price|royalt|recipient/i.test(name),
  )
  if (misspelt !== undefined) {
    const where = `body/${misspelt.slice(0, 100)}`
    const problem = `is not known here; the limits are ${known.slice(1).join(', ')}`
    throw new Failure('request/malformed', { where, problem })
  }
  return {
    recipient: recipient === undefined ? undefined : readAddress(recipient),
    maxPrice: maxPrice === undefined ? undefined : wei(maxPrice),
  }
}
