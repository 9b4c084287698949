import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import {
  type Erasures,
  Failure,
  type MemoryService,
  type Names,
  type provenance,
  type RecordedOpening,
  readOpenings,
  type save,
  type snapshot,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { encodeListing } from '../../api/encode-records.ts'
import type { AnswerOf } from '../../api/operations/operations.ts'
import { pageInput } from '../../api/schemas/catalogue-queries.ts'
import type { ServiceFor } from '../keys/tenants.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import { ownerToSave } from '../request/name-lines.ts'
import { accountSaver, type NameOwners, requireCaller } from '../request/name-owners.ts'
import { claimsProof, proofHeaders, readProof } from '../request/proof-headers.ts'
import { type NamedSave, readAcceptance, readSave, readSnapshot } from '../request/read-snapshot.ts'
import { type MemoryDesk, sendMemory } from '../request/send-memory.ts'
import { encodePage } from './catalogue.ts'
import { type AgentParts, agentOf } from './erase.ts'
import type { Handler, Handlers } from './serve-operation.ts'

type SnapshotParts = {
  readonly serviceFor: ServiceFor<'snapshot' | 'save'>
  readonly owners: Pick<NameOwners, 'ofSave' | 'identityOf'>
  /** Finds the names that exist; without it nothing can be saved to one. */
  readonly names?: Pick<Names, 'find'> | undefined
}

/** Returns the handler of a snapshot. */
export const snapshotHandler =
  ({ serviceFor, owners, names }: SnapshotParts): Handler<'snapshot'> =>
  async (request) => {
    const { idempotency, caller } = request
    const by = await owners.ofSave(request)
    const acceptsLine = readAcceptance(request.body)
    const saving = by && { identity: owners.identityOf(by.saver), acceptsLine }
    const input = { ...readSnapshot(request), saving, idempotency, budget: caller }
    const save = readSave(request.body)
    const service = serviceFor(caller)
    const saveTo = async (to: NamedSave) => {
      const { worlds, savedBy } = requireCaller(by)
      if (names === undefined) throw new Failure('name/unavailable', { operation: 'find' })
      const owner = await ownerToSave(names, worlds, to.name)
      return service.save({ ...input, ...to, owner, savedBy })
    }
    return answerMint(request, save === undefined ? service.snapshot(input) : saveTo(save))
  }

/** Returns the answer to a request whose memory is minted, and releases what arrived. */
export async function answerMint(
  { receivedBody }: Pick<FastifyRequest, 'receivedBody'>,
  minting: Promise<snapshot.Output & Partial<save.Output>>,
): Promise<AnswerOf<'snapshot'>> {
  const minted = await minting.finally(() => receivedBody && releaseBuffer(receivedBody.bytes))
  return {
    tokenId: minted.tokenId.toString(),
    contentHash: minted.contentHash,
    storageUri: minted.storageUri,
    txHash: minted.txHash,
    timestamp: minted.timestamp,
    ...(minted.version !== undefined && { version: minted.version }),
    ...(minted.isUnchanged && { unchanged: true }),
  }
}

/** Returns the handler of a download. */
export const downloadHandler =
  (desk: MemoryDesk): Handler<'download'> =>
  async (request, reply) =>
    sendMemory(desk, { request, reply }, tokenId(request.params.tokenId))

type OwnParts = Pick<MemoryService, 'isOwn'> & {
  readonly gate: Pick<AcceptedProofs, 'challengesOf'>
  readonly owners: Pick<NameOwners, 'identityOf'>
}

/** Returns the handler of whether a memory is the own of the account that proves itself. */
export const ownHandler =
  ({ isOwn, gate, owners }: OwnParts): Handler<'isOwn'> =>
  async (request, reply) => {
    const proof = readProof(request.headers)
    const reader = owners.identityOf(accountSaver(proof.account))
    const challenges = gate.challengesOf(request)
    const of = { tokenId: tokenId(request.params.tokenId), proof, challenges, reader }
    reply.header('cache-control', 'no-store')
    return { isOwn: await isOwn(of) }
  }

type OpeningsParts = AgentParts & {
  readonly openings: readOpenings.Parts
  readonly gate: Pick<AcceptedProofs, 'challengesOf'>
}

/** Returns the handler of who opened a memory. */
export const openingsHandler =
  ({ openings, gate, ...parts }: OpeningsParts): Handler<'openings'> =>
  async (request, reply) => {
    const of = { ...pageInput(request.query), tokenId: tokenId(request.params.tokenId) }
    reply.header('cache-control', 'no-store')
    if (!claimsProof(request.headers, proofHeaders)) {
      const agent = agentOf(parts, request, 'read')
      return encodePage(await readOpenings(openings, { ...of, ...agent }), encodeOpening)
    }
    const signed = { proof: readProof(request.headers), challenges: gate.challengesOf(request) }
    const input = { ...of, account: signed.proof.account, signed }
    return encodePage(await readOpenings(openings, input), encodeOpening)
  }

function encodeOpening({ right, account, scope, at, asOf, ...opening }: RecordedOpening) {
  const { seconds, count, digest } = opening
  const { kind, ...grant } = right
  return {
    right: kind,
    ...(account && scope && { account, scope }),
    ...grant,
    at: `${toSeconds(at)}`,
    seconds,
    count,
    ...(asOf !== undefined && { blockTime: `${toSeconds(asOf)}` }),
    digest,
  }
}

type ReadParts = Pick<MemoryService, 'provenance' | 'listing'> & {
  /** Returns when a memory was erased; absent where none can be. */
  readonly erasedAt?: Erasures['find'] | undefined
}

/** Returns the handlers of the reads of one token from the chain. */
export const chainReads = ({
  provenance,
  listing,
  erasedAt = () => undefined,
}: ReadParts): Handlers<'provenance' | 'listing'> => ({
  provenance: async ({ params }) => {
    const record = await provenance({ tokenId: tokenId(params.tokenId) })
    const erased = erasedAt(record.digest)
    return {
      ...encodeProvenance(record),
      ...(erased !== undefined && { erasedAt: `${toSeconds(erased)}` }),
    }
  },
  listing: async ({ params }) => encodeListing(await listing({ tokenId: tokenId(params.tokenId) })),
})

/** Encodes the record of a token. */
export const encodeProvenance = (record: provenance.Output): AnswerOf<'provenance'> => ({
  tokenId: `${record.tokenId}`,
  contentHash: record.contentHash,
  storageUri: record.storageUri,
  creator: record.creator,
  parent: `${record.parent ?? 0n}`,
  timestamp: `${toSeconds(record.mintedAt)}`,
})
