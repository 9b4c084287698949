import { type Digest, digest } from '@heirloom/core'
import { CorruptBlock, MissingBlock } from '../blob-failure.ts'
import { cidOf, digestOf, rawCode, sha256Of } from '../cid.ts'
import type { DurableBlockstore } from '../durable-blockstore.ts'
import type { CopyLog } from './copy-log.ts'
import {
  type CopyRequest,
  decodeRequest,
  erasedBlock,
  noProof,
  noRoom,
  proofOf,
  type Refusals,
} from './copy-messages.ts'

/** The blocks of a node, and its notes on which of them came from which peer. */
export type CopyHolder = {
  readonly blocks: Pick<DurableBlockstore, 'read' | 'put' | 'delete'>
  readonly log: CopyLog
  /** Returns whether the disk may take so many bytes more of other nodes. */
  readonly hasRoom: (bytes: number) => Promise<boolean>
  /** The most bytes that each peer may have stored here. */
  readonly limit: number
  readonly refusals: Refusals
  /** Returns whether a block is of an erased memory, which is stored for nobody. */
  readonly isErased: (digest: Digest) => boolean
}

/**
 * Answers a request of a configured peer. A peer can store, and can take back what it has stored
 * itself within a day: a machine that was broken into must not erase what the others hold.
 *
 * @throws an error for a message that is no request, and errors of the disk
 */
export async function answerCopyRequest(
  holder: CopyHolder,
  peer: string,
  message: Uint8Array,
): Promise<Uint8Array> {
  const request = decodeRequest(message)
  switch (request?.kind) {
    case 'store':
      return store(holder, peer, request.block)
    case 'prove':
      return prove(holder, request)
    case 'take-back':
      return takeBack(holder, peer, request.digests)
    default:
      throw new Error('The message is not a request for copies.')
  }
}

const cidOfBytes = (bytes: Uint8Array) =>
  cidOf(digest(`0x${Buffer.from(bytes).toString('hex')}`), rawCode)

async function store(holder: CopyHolder, peer: string, block: Uint8Array) {
  const { blocks, log, limit, refusals } = holder
  const name = Buffer.from(await sha256Of(block), 'hex')
  const [cid, key] = [cidOfBytes(name), name.toString('hex')]
  if (holder.isErased(digestOf(cid))) return erasedBlock
  const state = await stateOf(blocks, cid)
  // From now on this peer relies on it, so the one that stored it before may not take it back.
  if (state !== 'missing') log.keepFromOthers(key, peer)
  if (state === 'here') return name
  if (state === 'missing' && !(await reserve(holder, peer, { key, length: block.length }))) {
    refusals.add({ peer, limit, bytes: log.bytes().get(peer) ?? 0 })
    return noRoom
  }
  await blocks.put(cid, block)
  return name
}

/**
 * Notes a block of a peer; returns false if there is no room for it. A peer must not fill the disk
 * that this node needs for its own writes, nor take the part of the other peers.
 */
async function reserve(
  { log, hasRoom, limit }: CopyHolder,
  peer: string,
  { key, length }: { readonly key: string; readonly length: number },
): Promise<boolean> {
  return (await hasRoom(length)) && log.add(key, peer, { length, limit })
}

async function prove(
  { blocks }: CopyHolder,
  { nonce, digests }: Extract<CopyRequest, { kind: 'prove' }>,
): Promise<Uint8Array> {
  const proofs: Uint8Array[] = []
  for (const name of digests) {
    proofs.push(await blocks.read(cidOfBytes(name)).then((it) => proofOf(nonce, it), toNoProof))
  }
  return Buffer.concat(proofs)
}

async function takeBack(
  { blocks, log }: CopyHolder,
  peer: string,
  digests: readonly Uint8Array[],
): Promise<Uint8Array> {
  for (const name of digests) {
    if (log.take(Buffer.from(name).toString('hex'), peer)) await blocks.delete(cidOfBytes(name))
  }
  return new Uint8Array()
}

const stateOf = (blocks: CopyHolder['blocks'], cid: ReturnType<typeof cidOf>) =>
  blocks.read(cid).then(
    () => 'here' as const,
    (error: unknown) => {
      toNoProof(error)
      return error instanceof MissingBlock ? ('missing' as const) : ('damaged' as const)
    },
  )

function toNoProof(error: unknown): Uint8Array {
  if (error instanceof MissingBlock || error instanceof CorruptBlock) return noProof
  throw error
}
