import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Account } from '@heirloom/core'
import { anyRequest, problemResponses } from '../../api/problem-responses.ts'
import { DeploymentRecord } from '../../api/wallet-schemas.ts'
import type { ProofGate } from '../request/proof-gate.ts'

/** The contracts and the agent wallet, so that a client can check everything on the chain. */
export type Deployment = {
  readonly chainId: number
  readonly registry: Account
  readonly marketplace: Account
  readonly agent: Account
}

const schema = {
  operationId: 'deployment',
  tags: ['server'],
  summary: 'Read which contracts this server works with, and its agent wallet',
  response: { 200: DeploymentRecord, ...problemResponses(anyRequest) },
}

/** `GET /api/deployment` */
export const deploymentRoute =
  (deployment: Deployment, { kindsOf, originOf }: ProofGate): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/deployment', { schema }, async (request) => {
      const origin = originOf(request)
      const own = origin === undefined ? {} : { origin, domain: new URL(origin).host }
      return { ...deployment, proofs: [...kindsOf(request)], ...own }
    })
  }
