import { encodeMint } from '@heirloom/adapters/internal/mint-call'
import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import { Failure, type Hex, type MemoryService, type Names, storageUri } from '@heirloom/core'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { sealText } from '../../api/signed-texts.ts'
import type { Config } from '../../config/config.ts'
import type { Deployment } from '../operations/deployment.ts'
import { type Handler, serveOperation } from '../operations/serve-operation.ts'
import { idempotencyKeyOf } from '../plugins/idempotency-keys.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import { clientOf } from '../request/client-of.ts'
import { ownerToSave } from '../request/name-lines.ts'
import { accountSaver, type NameOwners } from '../request/name-owners.ts'
import { readSealProof, signedPlaceOf } from '../request/proof-headers.ts'
import { readAcceptance, readSave, readSnapshot } from '../request/read-snapshot.ts'
import type { CheckableSeal, ProvenRequest, Sealing } from '../seals/sealing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request that a creator has proven; absent on every other route. */
    provenRequest: ProvenRequest | undefined
  }
}

export declare namespace sealRoute {
  type Parts = Pick<MemoryService, 'proveCreator'> & {
    readonly sealing: Sealing
    readonly gate: Pick<AcceptedProofs, 'originOf'>
    readonly owners: Pick<NameOwners, 'identityOf' | 'ofAccount'>
    /** Finds the names that exist; without it nothing can be saved to one. */
    readonly names?: Pick<Names, 'find'> | undefined
    readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
    readonly config: Pick<Config, 'bodyLimit'> & Partial<Pick<Config, 'seals'>>
  }
}

/** `POST /api/memory/seal` */
export const sealRoute =
  (parts: sealRoute.Parts): FastifyPluginAsync =>
  async (app) => {
    const { sealing, deployment, config, owners } = parts
    app.decorateRequest('provenRequest', undefined)
    app.addHook('onRequest', async (request) => {
      request.provenRequest = await verifyProof(parts, request)
      await sealing.admit(request.provenRequest)
    })
    app.addHook('preValidation', (request, _, done) => {
      refuseWrongBody(request)
      done()
    })
    const options = { bodyLimit: bodyLimitOf(config), config: { isBodySigned: true } }
    const seal: Handler<'seal'> = async (request) => {
      const { receivedBody } = request
      const proven = provenOf(request)
      const saver = accountSaver(proven.creator)
      const input = {
        ...proven,
        ...readSnapshot(request),
        save: await readNamedSave(parts, request),
        saving: {
          identity: owners.identityOf(saver),
          acceptsLine: readAcceptance(request.body),
        },
      }
      const free = () => receivedBody && releaseBuffer(receivedBody.bytes)
      const note = await sealing.seal(input).finally(free)
      return print(note, deployment)
    }
    serveOperation(app, 'seal', seal, options)
  }

/** Reads the name that the creator saves to, which it may mean as its own; `undefined` without one. */
async function readNamedSave(
  { owners, names }: Pick<sealRoute.Parts, 'owners' | 'names'>,
  request: FastifyRequest & { readonly body: Save },
) {
  const save = readSave(request.body)
  if (save === undefined) return undefined
  if (names === undefined) throw new Failure('name/unavailable', { operation: 'find' })
  const { worlds, savedBy } = owners.ofAccount(provenOf(request).creator, request, 'write')
  return { ...save, owner: await ownerToSave(names, worlds, save.name), savedBy }
}

type Save = Parameters<typeof readSave>[0]

/** Returns the largest body, in bytes: a larger one would never fit into the bounds. */
function bodyLimitOf({ bodyLimit, seals }: sealRoute.Parts['config']): number {
  return Math.min(bodyLimit, seals?.bounds.perAccount.bytes || bodyLimit)
}

/** Verifies the proof of a request from its headers alone. */
async function verifyProof(
  parts: sealRoute.Parts,
  request: FastifyRequest,
): Promise<ProvenRequest> {
  const proof = readSealProof(request.headers)
  const message = sealText(signedPlaceOf(parts, request), proof)
  await parts.proveCreator({ ...proof, message })
  const { account: creator, timestamp, bodyDigest } = proof
  const idempotencyKey = idempotencyKeyOf(request)
  return { creator, timestamp, bodyDigest, idempotencyKey, client: clientOf(request) }
}

function provenOf({ provenRequest }: FastifyRequest): ProvenRequest {
  if (provenRequest !== undefined) return provenRequest
  throw new Error('The proof is verified before the body is read.')
}

function refuseWrongBody(request: FastifyRequest): void {
  const { bodyDigest: signed } = provenOf(request)
  const { receivedBody } = request
  const actual: Hex = `0x${receivedBody?.sum ?? ''}`
  if (actual !== signed) throw new Failure('seal/wrong-body', { signed, actual })
}

function print(note: CheckableSeal, { chainId, registry }: sealRoute.Parts['deployment']) {
  const { contentHash, digest, card, creator, recipient, parent = 0n, expiresAt, salt } = note
  const data = encodeMint({ recipient, contentHash, digest, parent, card })
  return {
    contentHash,
    salt,
    storageUri: storageUri(digest),
    card: card ?? null,
    creator,
    chainId,
    registry,
    recipient,
    parentTokenId: `${parent}`,
    expiresAt,
    transaction: { chainId, to: registry, data, value: '0' },
  }
}
