import { tokenId, toSeconds, wei } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { readDollars } from '../../api/encode-dollars.ts'
import type { marketOperations } from '../../api/operations/market.ts'
import { readAcquisition } from '../request/read-acquisition.ts'
import type { ServiceFor } from '../tenants/tenants.ts'
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
      price: wei(prices.price),
      rentalPricePerDay: wei(prices.rentalPricePerDay),
      forkPrice: wei(prices.forkPrice),
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
