import { randomBytes } from 'node:crypto'
import type { CopyCount } from '@heirloom/core'
import type { CID } from 'multiformats/cid'
import { MissingBlock } from '../blob-failure.ts'
import type { DurableBlockstore } from '../durable-blockstore.ts'
import {
  isErasedBlock,
  isNoRoom,
  isProof,
  type Peer,
  proofOf,
  proofsPerQuestion,
  splitIntoParts,
} from './copy-messages.ts'

/** Copies of the blocks of this node on others. */
export type Copies = {
  /**
   * Stores blocks on other nodes until enough hold each.
   *
   * @throws when too few nodes store them
   */
  replicate(cids: readonly CID[]): Promise<void>
  /** Removes blocks from nodes that got them from this one, as far as they can be reached. */
  takeBack(cids: readonly CID[]): Promise<void>
  /**
   * Counts the copies of every block here, and stores those that are missing.
   *
   * @throws the reason of `stop` when it is aborted, and errors of the disk
   */
  audit(stop: AbortSignal): Promise<CopyCount>
}

export declare namespace copiesOn {
  type Input = {
    readonly blocks: Pick<DurableBlockstore, 'read' | 'getAll'>
    /** Returns a block that is damaged here, from a peer, and stores it again. */
    readonly restore: (cid: CID) => Promise<Uint8Array>
    readonly peers: readonly Peer[]
    /** The number of nodes that hold each block, this one included. */
    readonly copies: number
  }
}

/** Returns the copies of the blocks of this node on its peers. */
export function copiesOn({ peers, ...others }: copiesOn.Input): Copies {
  const input = { ...others, peers: peers.map(remembersFailures) }
  return {
    replicate: (cids) => replicate(input, cids),
    takeBack: async (cids) => {
      const digests = cids.map(({ multihash }) => multihash.digest)
      const asks = input.peers.map((peer) => peer.ask(inGroups(digests, takeBackRequest)))
      await Promise.allSettled(asks)
    },
    audit: (stop) => audit(input, stop),
  }
}

/** A peer that remembers when it last failed, so that one that hangs is not asked first again. */
type KnownPeer = Peer & { readonly failedAt: () => number }

type Known = Omit<copiesOn.Input, 'peers'> & { readonly peers: readonly KnownPeer[] }

function remembersFailures(peer: Peer): KnownPeer {
  let failedAt = 0
  return {
    id: peer.id,
    failedAt: () => failedAt,
    ask: async (requests) => {
      try {
        const responses = await peer.ask(requests)
        failedAt = 0
        return responses
      } catch (error) {
        failedAt = performance.now()
        throw error
      }
    },
  }
}

const takeBackRequest = (digests: readonly Uint8Array[]) =>
  ({ kind: 'take-back', digests }) as const

function* inGroups<T, Of>(all: readonly Of[], make: (group: readonly Of[]) => T): Generator<T> {
  for (let at = 0; at < all.length; at += proofsPerQuestion) {
    yield make(all.slice(at, at + proofsPerQuestion))
  }
}

async function replicate(input: Known, cids: readonly CID[]): Promise<void> {
  let missing = input.copies - 1
  const causes: unknown[] = []
  const left = input.peers.toSorted((one, other) => one.failedAt() - other.failedAt())
  while (missing > 0 && left.length > 0) {
    // As many nodes as are needed are asked at once; others take the place of those that fail.
    const results = await Promise.allSettled(
      left.splice(0, missing).map((peer) => storeAt(peer, input, cids)),
    )
    missing -= results.filter(({ status }) => status === 'fulfilled').length
    causes.push(...results.flatMap((it) => (it.status === 'rejected' ? [it.reason] : [])))
  }
  if (missing > 0) throw new AggregateError(causes, tooFewNodes(causes))
}

const tooFewNodes = (causes: readonly unknown[]): string =>
  [
    'Too few nodes stored a copy.',
    ...causes.map((it) => (it instanceof Error ? it.message : 'A node failed.')),
  ].join(' ')

/** Stores blocks at a node. @throws unless it has them all on disk */
async function storeAt(
  peer: Peer,
  { blocks }: Pick<copiesOn.Input, 'blocks'>,
  cids: readonly CID[],
): Promise<void> {
  const responses = await peer.ask(storeRequests(blocks, cids))
  const isStored = cids.every(({ multihash }, at) => {
    const response = responses[at]
    return response !== undefined && Buffer.compare(response, multihash.digest) === 0
  })
  if (isStored) return
  if (responses.some(isErasedBlock)) {
    throw new Error(`The node ${peer.id} takes a block no more, because its memory was erased.`)
  }
  const isFull = responses.some(isNoRoom)
  throw new Error(
    isFull
      ? `The node ${peer.id} has no room for more copies of this one: give it a larger disk or BLOB_BYTES_PER_PEER.`
      : `The node ${peer.id} did not store every block.`,
  )
}

async function* storeRequests(blocks: copiesOn.Input['blocks'], cids: readonly CID[]) {
  for (const cid of cids) yield { kind: 'store', block: await blocks.read(cid) } as const
}

async function audit(input: Known, stop: AbortSignal): Promise<CopyCount> {
  // Connects with every node, for one that lost its disk has nothing to count, and others wait for it.
  await Promise.allSettled(input.peers.map((peer) => peer.ask([])))
  let [blocks, tooFew] = [0, 0]
  let group: CID[] = []
  const end = async () => {
    stop.throwIfAborted()
    blocks += group.length
    tooFew += await auditGroup(input, group)
    group = []
  }
  for await (const { cid } of input.blocks.getAll()) {
    group.push(cid)
    if (group.length === proofsPerQuestion) await end()
  }
  await end()
  return { blocks, tooFew }
}

/** Repairs a group of blocks; returns the number of those that too few nodes hold then. */
async function auditGroup(input: Known, cids: readonly CID[]): Promise<number> {
  if (cids.length === 0) return 0
  const { present, lost } = await readPresent(input, cids)
  const asks = input.peers.map((peer) => provenAt(peer, present))
  const holders = (await Promise.all(asks)).filter((it) => it !== undefined)
  let tooFew = lost
  for (const [at, { cid }] of present.entries()) {
    const copies = 1 + holders.filter(({ proven }) => proven[at]).length
    const without = holders.filter(({ proven }) => !proven[at]).map(({ peer }) => peer)
    const missing = input.copies - copies
    if (missing <= 0) continue
    const repaired = await replicate({ ...input, peers: without, copies: missing + 1 }, [cid]).then(
      () => true,
      () => false,
    )
    if (!repaired) tooFew++
  }
  return tooFew
}

type Present = { readonly cid: CID; readonly expected: Uint8Array; readonly nonce: Uint8Array }

/** Returns the blocks of a group with the proof that a holder returns, and the number of lost ones. */
async function readPresent({ blocks, restore }: Known, cids: readonly CID[]) {
  const nonce = randomBytes(32)
  const present: Present[] = []
  let lost = 0
  for (const cid of cids) {
    try {
      const block = await blocks.read(cid).catch((error: unknown) => {
        // A block that is missing was removed meanwhile. Only what is damaged is fetched again.
        if (error instanceof MissingBlock) return undefined
        return restore(cid)
      })
      if (block !== undefined) present.push({ cid, nonce, expected: proofOf(nonce, block) })
    } catch {
      lost++
    }
  }
  return { present, lost }
}

/** Returns which blocks a node proves to hold; `undefined` if it does not answer. */
async function provenAt(peer: KnownPeer, present: readonly Present[]) {
  const [first] = present
  if (first === undefined) return { peer, proven: [] }
  const digests = present.map(({ cid }) => cid.multihash.digest)
  try {
    const [response] = await peer.ask([{ kind: 'prove', nonce: first.nonce, digests }])
    const proofs = splitIntoParts(response ?? new Uint8Array()) ?? []
    return { peer, proven: present.map(({ expected }, at) => isProof(proofs[at], expected)) }
  } catch {
    return undefined
  }
}
