import { hash, timingSafeEqual } from 'node:crypto'
import type { CopyRefusal } from '@heirloom/core'

/** The protocol by which nodes hold copies of each other's blocks. */
export const copyProtocol = '/heirloom/copies/1.0.0'

/** The longest message, in bytes: a block, or the digests of one question. */
export const longestMessage = 2_097_152

/** The most blocks of which one question asks a proof. */
export const proofsPerQuestion = 64

/** A request from one node to another. A digest is the sha2-256 of a block, of 32 bytes. */
export type CopyRequest =
  /** Store a block; the response is its digest once it is on disk, or `noRoom`, or `erasedBlock`. */
  | { readonly kind: 'store'; readonly block: Uint8Array }
  /** Prove that blocks are on disk; the response is a proof each, or zeros. */
  | { readonly kind: 'prove'; readonly nonce: Uint8Array; readonly digests: readonly Uint8Array[] }
  /** Remove blocks that the asking node itself has stored lately; the response is empty. */
  | { readonly kind: 'take-back'; readonly digests: readonly Uint8Array[] }

const codes = { store: 1, prove: 2, 'take-back': 3 } as const

/** The length of a digest, a nonce and a proof, in bytes. */
const width = 32

/** Encodes a request. */
export function encodeRequest(request: CopyRequest): Uint8Array {
  const code = Buffer.of(codes[request.kind])
  if (request.kind === 'store') return Buffer.concat([code, request.block])
  const nonce = request.kind === 'prove' ? [request.nonce] : []
  return Buffer.concat([code, ...nonce, ...request.digests])
}

/** Decodes a request; `undefined` if it is not one. */
export function decodeRequest(message: Uint8Array): CopyRequest | undefined {
  const [code] = message
  const body = message.subarray(1)
  if (code === codes.store) return { kind: 'store', block: body }
  const parts = splitIntoParts(body)
  if (parts === undefined || parts.length > proofsPerQuestion + 1) return undefined
  if (code === codes['take-back']) return { kind: 'take-back', digests: parts }
  const [nonce, ...digests] = parts
  if (code !== codes.prove || nonce === undefined) return undefined
  return { kind: 'prove', nonce, digests }
}

/** Cuts bytes into parts of 32 bytes; `undefined` unless they fit. */
export function splitIntoParts(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  if (bytes.length % width !== 0) return undefined
  return Array.from({ length: bytes.length / width }, (_, at) =>
    bytes.subarray(at * width, (at + 1) * width),
  )
}

/** The response of a node that takes no more blocks of the asking one. */
export const noRoom: Uint8Array = Buffer.of(0)

/** Reports whether a response is that of a node that takes no more blocks. */
export const isNoRoom = (response: Uint8Array): boolean => Buffer.compare(response, noRoom) === 0

/** The response of a node that takes a block no more, because its memory was erased. */
export const erasedBlock: Uint8Array = Buffer.of(1)

/** Reports whether a response is that of a node that has erased the memory of a block. */
export const isErasedBlock = (response: Uint8Array): boolean =>
  Buffer.compare(response, erasedBlock) === 0

/** The response for a block that is not there. */
export const noProof: Uint8Array = new Uint8Array(width)

/** Returns what only a node that has the block at the time of the question can return. */
export const proofOf = (nonce: Uint8Array, block: Uint8Array): Uint8Array =>
  hash('sha256', Buffer.concat([nonce, block]), 'buffer')

/** Reports whether a proof is that of a block. */
export const isProof = (proof: Uint8Array | undefined, expected: Uint8Array): boolean =>
  proof?.length === expected.length && timingSafeEqual(proof, expected)

/** Another node, which is known by its key. */
export type Peer = {
  /** The peer id, which is the hash of the public key that the connection proves. */
  readonly id: string
  /**
   * Sends requests one after the other, and returns their responses.
   *
   * @throws when the node cannot be reached, or does not answer in time
   */
  ask(requests: AsyncIterable<CopyRequest> | Iterable<CopyRequest>): Promise<readonly Uint8Array[]>
}

/** The number of refused copies of each peer. */
export type Refusals = {
  add(refusal: CopyRefusal): void
  counts(): ReadonlyMap<string, number>
}

/** The time for which a peer that is refused again and again is not reported again, in milliseconds. */
const silence = 3_600_000

/** Counts refused copies, and reports those of a peer at most once an hour. */
export function countRefusals(
  observe: (refusal: CopyRefusal) => void = () => undefined,
  now: () => number = Date.now,
): Refusals {
  const counts = new Map<string, number>()
  const reported = new Map<string, number>()
  return {
    add: (refusal) => {
      const { peer } = refusal
      counts.set(peer, (counts.get(peer) ?? 0) + 1)
      if (now() - (reported.get(peer) ?? Number.NEGATIVE_INFINITY) < silence) return
      reported.set(peer, now())
      observe(refusal)
    },
    counts: () => counts,
  }
}
