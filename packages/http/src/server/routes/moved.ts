import { Failure, type MemoryService, tokenId } from '@heirloom/core'
import type { FastifyPluginAsync } from 'fastify'
import { readAddress } from '../../api/address.ts'
import { operations } from '../../api/operations/operations.ts'
import { type MovedTokens, noMoves } from '../moved-tokens.ts'
import type { Deployment } from '../operations/deployment.ts'
import { encodeProvenance } from '../operations/memory.ts'
import { serveOperation } from '../operations/serve-operation.ts'
import { type AcceptedProofs, acceptedProofs } from '../request/accepted-proofs.ts'
import { type MemoryDesk, sendMemory } from '../request/send-memory.ts'

export declare namespace movedRoute {
  type Parts = Pick<MemoryService, 'provenance'> &
    MemoryDesk & {
      /** Without it only the ids of the own registry are known. */
      readonly moved?: MovedTokens | undefined
      readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
      readonly config: acceptedProofs.Settings
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
  }: movedRoute.Parts): FastifyPluginAsync =>
  async (app) => {
    const find = (params: Params) => findHere(moved, params)
    serveOperation(app, 'provenanceOfRegistry', async ({ params }) =>
      encodeProvenance(await provenance({ tokenId: find(params).here })),
    )
    serveOperation(app, 'downloadOfRegistry', async (request, reply) => {
      const { registry, there, here } = find(request.params)
      const { chainId, address: of } = registry
      const gate = acceptedProofs(config, { chainId, registry: of })
      const challengesOf: AcceptedProofs['challengesOf'] = (it) =>
        gate.challengesOf(it).map((text) => (_, claim) => text(there, claim))
      return sendMemory({ ...desk, gate: { challengesOf } }, { request, reply }, here)
    })
    const { params: schema } = operations.provenanceOfRegistry
    const view = '/registries/:chainId/:registry/token/:tokenId'
    const options = { schema: { params: schema, hide: true } }
    app.get<{ Params: Params }>(view, options, async ({ params }, reply) =>
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
