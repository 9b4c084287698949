import { isAscii } from 'node:buffer'
import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import { inlineLimit } from '@heirloom/adapters/internal/read-json-object'
import type { Challenge, MemoryService, Proof, TokenId } from '@heirloom/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DownloadBudget } from '../bounds/download-budget.ts'
import type { AcceptedProofs } from './accepted-proofs.ts'
import { clientOf } from './client-of.ts'
import { readProof } from './proof-headers.ts'

/**
 * Runs an act once a reply was sent or its connection is closed; at once where it was closed before,
 * since no event follows then.
 */
export function afterReply({ raw }: FastifyReply, act: () => void): void {
  if (raw.destroyed) act()
  else raw.once('finish', act).once('close', act)
}

/** A proof, and the texts that it may have signed. */
export type Signed = { readonly proof: Proof; readonly challenges: readonly Challenge[] }

/** The parts that open memories for requests that carry a proof. */
export type MemoryDesk = Pick<MemoryService, 'download'> & {
  readonly gate: Pick<AcceptedProofs, 'challengesOf'>
  readonly budget: DownloadBudget
}

/**
 * Opens the memory of a token for the wallet that a request proves, by its headers unless a proof is
 * given, and sends it byte for byte.
 *
 * @throws the failures of a download, `proof/missing`, `proof/malformed`
 */
export async function sendMemory(
  { download, gate, budget }: MemoryDesk,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  tokenId: TokenId,
  signed: Signed = {
    proof: readProof(request.headers),
    challenges: gate.challengesOf(request),
  },
): Promise<FastifyReply> {
  const reservation = budget.reservationFor(clientOf(request))
  const input = {
    ...signed,
    tokenId,
    beforeOpening: reservation.reserve,
  }
  const opened = await download(input).catch((error: unknown) => {
    reservation.release()
    throw error
  })
  const { release } = reservation
  const isCounted = reservation.settle(opened.document.length)
  if (isCounted) afterReply(reply, release)
  // By then the system has all of it. After a broken reply the garbage collector frees it.
  if (opened.document.length > inlineLimit)
    reply.raw.once('finish', () => releaseBuffer(opened.document))
  return reply
    .header('cache-control', 'no-store')
    .header('x-content-hash', opened.contentHash)
    .header('x-content-salt', opened.salt)
    .type('application/json; charset=utf-8')
    .send(payloadOf(opened.document))
}

/**
 * Returns the payload for a document. Node sends the head of a reply and a string in one write,
 * which costs half as much as two; a string of ASCII characters is as long as its bytes.
 */
function payloadOf(document: Uint8Array): Uint8Array | string {
  if (document.length > maxStringBytes || !isAscii(document)) return document
  const { buffer, byteOffset, byteLength } = document
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}

/** The longest document that is sent as a string, in bytes. */
const maxStringBytes = 16_384
