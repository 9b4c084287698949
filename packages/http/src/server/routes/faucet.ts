import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readAddress } from '../../api/address.ts'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { FaucetBody, Given } from '../../api/wallet-schemas.ts'
import type { Faucet } from '../faucet.ts'
import { clientOf } from '../request/client-of.ts'

const schema = {
  operationId: 'faucet',
  tags: ['server'],
  summary: 'Get test dollars of the embedded chain: play money, worth nothing',
  description:
    'Only the embedded chain has a faucet, where only this machine reaches the server, or FAUCET_OPEN is true. The agent wallet pays the gas, so an account without any money can use it. A client and an account may use it FAUCET_PER_DAY times a day.',
  security: [{}],
  body: FaucetBody,
  response: { 201: Given, ...problemResponses([...anyWrite, 'recipient/invalid']) },
}

/** `POST /api/faucet` */
export const faucetRoute =
  ({ give, amount }: Faucet): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/faucet', { schema }, async (request, reply) => {
      const { txHash } = await give(readAddress(request.body.address), clientOf(request))
      return reply.code(201).send({ txHash, amount: String(amount), playMoney: true })
    })
  }
