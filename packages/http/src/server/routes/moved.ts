import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Failure, type MemoryService, tokenId, toSeconds } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { readAddress } from '../../api/address.ts'
import { ProvenanceRecord } from '../../api/memory-schemas.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { address, TokenId } from '../../api/schema-parts.ts'
import { type MovedTokens, noMoves } from '../migration/moved-tokens.ts'
import { type ProofGate, proofGate } from '../request/proof-gate.ts'
import { type MemoryDesk, sendMemory } from '../request/send-memory.ts'
import type { Deployment } from './deployment.ts'
import { downloadSchema } from './download.ts'

const TokenOfRegistry = Type.Object({
  chainId: Type.String({
    pattern: '^[1-9][0-9]{0,15}$',
    description: 'Chain id of the registry.',
    examples: ['31337'],
  }),
  registry: address('Address of the registry that the id is of.'),
  tokenId: TokenId,
})

const about =
  'An id of this server’s own registry, or of one whose tokens `heirloom migrate` carried over: docs/guides/migrate.md.'

const infoSchema = {
  operationId: 'provenanceOfRegistry',
  tags: ['memory'],
  summary: 'Read what the chain records of a token, by its id in a registry of before',
  description: `${about} The answer has the id that the token has here.`,
  params: TokenOfRegistry,
  response: {
    200: ProvenanceRecord,
    ...problemResponses([...anyRead, 'token/not-found', 'token/not-moved', 'value/invalid']),
  },
}

const memorySchema = {
  ...downloadSchema,
  operationId: 'downloadOfRegistry',
  summary: 'Open the memory of a token, by its id in a registry of before',
  description: `${about} The proof is that of the token of the path: a plain text with its id there, or an EIP-4361 text with that chain, registry and id. The right is that to the token here.`,
  params: TokenOfRegistry,
  response: {
    ...downloadSchema.response,
    ...problemResponses([...anyRead, 'token/not-found', 'token/not-moved', 'value/invalid']),
  },
}

export declare namespace movedRoute {
  type Parts = Pick<MemoryService, 'provenance'> &
    MemoryDesk & {
      /** Without it only the ids of the own registry are known. */
      readonly moved?: MovedTokens | undefined
      readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
      readonly config: proofGate.Settings
    }
}

/**
 * `GET /api/registries/:chainId/:registry/memory/:tokenId`, the same with `/info`, and the address of the
 * page's view: what other registries called a token leads to it.
 */
export const movedRoute =
  ({
    deployment,
    moved = noMoves(deployment),
    config,
    provenance,
    ...desk
  }: movedRoute.Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/registries/:chainId/:registry'
    const find = (params: Params) => findHere(moved, params)
    app.get(`/api${path}/memory/:tokenId/info`, { schema: infoSchema }, async ({ params }) => {
      const record = await provenance({ tokenId: find(params).here })
      return {
        tokenId: `${record.tokenId}`,
        contentHash: record.contentHash,
        storageUri: record.storageUri,
        creator: record.creator,
        parent: `${record.parent ?? 0n}`,
        timestamp: `${toSeconds(record.mintedAt)}`,
      }
    })
    app.get(`/api${path}/memory/:tokenId`, { schema: memorySchema }, async (request, reply) => {
      const { registry, there, here } = find(request.params)
      const { chainId, address: of } = registry
      const gate = proofGate(config, { chainId, registry: of })
      const challengesOf: ProofGate['challengesOf'] = (it) =>
        gate.challengesOf(it).map((text) => (_, claim) => text(there, claim))
      return sendMemory({ ...desk, gate: { challengesOf } }, { request, reply }, here)
    })
    const schema = { params: TokenOfRegistry, hide: true }
    app.get(`${path}/token/:tokenId`, { schema }, async ({ params }, reply) =>
      // Not for ever: the next migration gives the token another number.
      reply.redirect(`/token/${find(params).here}`, 307),
    )
  }

type Params = { readonly chainId: string; readonly registry: string; readonly tokenId: string }

function findHere(moved: MovedTokens, params: Params) {
  const there = tokenId(params.tokenId)
  const registry = { chainId: Number(params.chainId), address: readAddress(params.registry) }
  const here = moved.find(registry, there)
  if (here !== undefined) return { registry, there, here }
  const { chainId, address: of } = registry
  throw new Failure('token/not-moved', { tokenId: there, chainId, registry: of })
}
