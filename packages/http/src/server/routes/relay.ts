import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { RelayedAct } from '@heirloom/adapters/internal/relay'
import { toSeconds } from '@heirloom/core'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { RelayBody, Relayed } from '../../api/relay-schemas.ts'
import type { RelayActs } from '../relay-acts.ts'
import { clientOf } from '../request/client-of.ts'
import { readSignedAct } from '../request/read-signed-act.ts'

const schema = {
  operationId: 'relay',
  tags: ['marketplace'],
  summary: 'Send what a wallet signed; the agent wallet pays the gas',
  description:
    'Takes exactly one of: `request`, a call that an account signed for the forwarder (ERC-2771); `payOrder`, an act in dollars with the authorization that pays it; `settle`, an act in dollars that was paid at its own address; `refund`, one whose money is there in vain. The account acts by itself: the agent wallet signs nothing but the transaction. Each call is sent once, and the same call gets the same answer again. docs/relay.md has the acts and the limits.',
  security: [{}, { apiKey: [] }],
  body: RelayBody,
  response: {
    201: Relayed,
    ...problemResponses([
      ...anyWrite,
      'batch/bad-size',
      'credit/none',
      'dollar/missing',
      'dollar/refused',
      'lineage/too-deep',
      'listing/currency-changed',
      'listing/not-for-fork',
      'listing/not-for-rent',
      'listing/not-for-sale',
      'listing/not-owner',
      'listing/price-changed',
      'listing/price-too-high',
      'listing/royalty-changed',
      'order/closed',
      'order/expired',
      'order/foreign-asset',
      'order/refund-failed',
      'order/refund-too-early',
      'order/short',
      'recipient/invalid',
      'relay/bad-deadline',
      'relay/day-limit',
      'relay/failed',
      'relay/not-allowed',
      'relay/not-signed',
      'relay/too-costly',
      'relay/too-much-gas',
      'relay/underpriced',
      'rental/bad-duration',
      'rental/too-long',
      'royalty/bad-share',
      'royalty/zero',
      'service/busy',
      'token/not-found',
    ]),
  },
}

/** The longest body, in bytes: call data and a signature at their limits, in hexadecimal digits. */
const bodyLimit = 65_536

/** `POST /api/relay` */
export const relayRoute =
  (relay: RelayActs): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/relay', { schema, bodyLimit }, async (request, reply) => {
      const { body, caller: key } = request
      const relayed = await relay(readSignedAct(body), { name: clientOf(request), key })
      return reply.code(201).send(printRelayed(relayed))
    })
  }

function printRelayed({ txHash, act, tokenIds, expiresAt }: RelayedAct) {
  const ids = tokenIds.map(String)
  return {
    ...{ txHash, act },
    ...(ids.length === 1 && { tokenId: ids[0] }),
    ...(ids.length > 1 && { tokenIds: ids }),
    ...(expiresAt !== undefined && { expiresAt: toSeconds(expiresAt).toString() }),
  }
}
