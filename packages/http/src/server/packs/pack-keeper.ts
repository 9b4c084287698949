import { hash, randomInt } from 'node:crypto'
import type { PackNotes } from '@heirloom/adapters/internal/pack-notes'
import {
  type Account,
  type BlobStore,
  type Cipher,
  type Digest,
  digest,
  isFailure,
  type Line,
  type OpenBlobStore,
  type SealContext,
  sameContext,
} from '@heirloom/core'

/** Stores packs so that none is lost while a version needs it, and none stays for ever. */
export type PackKeeper = {
  /** Returns a store that notes the packs of each sealed bundle that is put or removed. */
  readonly store: (blobStore: BlobStore) => BlobStore
  /** Returns the `seal` of a cipher, whose packs are noted and leased. */
  readonly seal: (cipher: Cipher) => Cipher['seal']
}

export declare namespace packKeeper {
  type Parts = {
    readonly notes: Pick<PackNotes, 'store' | 'lease' | 'noteRoot'>
    /** The store itself: what a cache still has may be gone from it. */
    readonly blobStore: Pick<OpenBlobStore, 'put' | 'get' | 'head' | 'claim' | 'local'>
    /** Reads the head of a sealed bundle. */
    readonly inspect: Cipher['inspect']
    /** Reads its packs alone, which is faster: most bundles have none. */
    readonly packsOf: (head: Uint8Array) => readonly Digest[]
    /** The packs that this process has seen in its storage. */
    readonly here: Set<Digest>
    /** Draws the length of the first leaf of a pack of several blocks; random when absent. */
    readonly drawCut?: () => number
    readonly onTrouble?: (error: unknown) => void
  }
}

/** Returns the keeper of the packs of a server. */
export function packKeeper(parts: packKeeper.Parts): PackKeeper {
  return {
    store: (blobStore) => ({
      ...blobStore,
      put: async (bytes, headLength) => {
        const digest = await blobStore.put(bytes, headLength)
        if (headLength !== undefined) await noteRoot(parts, digest, bytes)
        return digest
      },
      remove: async (digest) => {
        await noteAbandoned(parts, digest)
        await blobStore.remove(digest)
      },
    }),
    seal: (cipher) => async (document, context, options) => {
      const { creator } = context
      const line = options.line && (await usableLine(parts, context, options.line))
      const put = (pack: Uint8Array) => storePack(parts, creator, pack)
      const blobs = { get: parts.blobStore.get, head: parts.blobStore.head, put }
      return cipher.seal(document, context, { ...options, line, blobs })
    },
  }
}

async function noteRoot(
  { notes, inspect, packsOf }: packKeeper.Parts,
  digest: Digest,
  sealed: Uint8Array,
): Promise<void> {
  const packs = packsOf(sealed)
  if (packs.length === 0) return
  const { creator } = inspect(sealed).context
  // Before the mint: from then on the packs are those of a token, and until then of a seal or a job.
  await notes.noteRoot(digest, { packs, creator })
}

/**
 * Notes the packs of a root that is about to be removed. They have a note already, unless a migration
 * brought them or the database was lost; without one no sweep would find them.
 */
async function noteAbandoned(
  { notes, blobStore, inspect }: packKeeper.Parts,
  root: Digest,
): Promise<void> {
  try {
    const { packs, context, isAuthentic } = inspect(await blobStore.local.head(root))
    if (isAuthentic) await notes.lease(packs, context.creator)
  } catch (error) {
    // A card, or a blob that is not here.
    if (!isFailure(error)) throw error
  }
}

/** The first leaf of a pack of several blocks has a random length of less than this, in bytes. */
const longestFirst = 65_536

/** The shortest part that a blob store removes with its blob, in bytes. */
const shortestPart = 32

const randomCut = () => randomInt(shortestPart, longestFirst)

async function storePack(
  parts: packKeeper.Parts,
  creator: Account,
  pack: Uint8Array,
): Promise<Digest> {
  const { notes, blobStore, here, onTrouble = () => undefined } = parts
  const cut = await unusedCut(parts, pack)
  const stored = await blobStore.put(pack, cut)
  // A sweep may have removed it since.
  if ((await notes.store(stored, creator)) === 'condemned') await blobStore.put(pack, cut)
  // From its note on, only the sweep of packs removes it.
  await Promise.resolve(blobStore.claim(stored)).catch(onTrouble)
  here.add(stored)
  return stored
}

/**
 * Returns a length for the first leaf of a pack that no pack here has which begins with the same bytes,
 * as two attempts of one save do. Cut at other places, they share no block, and the removal of the one
 * leaves the other whole.
 */
async function unusedCut(parts: packKeeper.Parts, pack: Uint8Array): Promise<number> {
  const { blobStore, drawCut = randomCut } = parts
  while (true) {
    const cut = drawCut()
    if (pack.length < longestFirst) return cut
    const leaf = digest(`0x${hash('sha256', pack.subarray(0, cut))}`)
    if (!(await isHere(blobStore, leaf))) return cut
  }
}

async function isHere(
  { local }: Pick<packKeeper.Parts['blobStore'], 'local'>,
  block: Digest,
): Promise<boolean> {
  try {
    await local.head(block)
    return true
  } catch (error) {
    if (isFailure(error, 'blob/not-found')) return false
    throw error
  }
}

/**
 * Leases the packs of the last version of a line before anything looks whether they are here. Leaves
 * out that version when they are not all here: then the line begins with a whole version again.
 */
async function usableLine(
  parts: packKeeper.Parts,
  context: SealContext,
  line: Line,
): Promise<Line> {
  if (line.previous === undefined) return line
  const { previous, ...whole } = line
  return (await leasePacks(parts, context, previous)) ? line : whole
}

async function leasePacks(
  parts: packKeeper.Parts,
  context: SealContext,
  previous: Digest,
): Promise<boolean> {
  const { notes, blobStore, inspect } = parts
  const { creator } = context
  try {
    const seal = inspect(await blobStore.head(previous))
    const { packs } = seal
    // The packs of others would be noted as those of this creator, whose tokens do not need them.
    if (!seal.isAuthentic || !sameContext(seal.context, context)) return false
    if (!(await notes.lease(packs, creator))) return false
    if (packs.length > 0) await notes.noteRoot(previous, { packs, creator })
    for (const pack of packs) await requireHere(parts, pack)
    return true
  } catch (error) {
    if (isFailure(error)) return false
    throw error
  }
}

/** The most packs that are remembered as seen. */
const mostCached = 100_000

/** Requires a pack on this server's own disk, or in its bucket: fetches it from a peer if need be. */
async function requireHere(
  { blobStore: { local, get }, here }: packKeeper.Parts,
  pack: Digest,
): Promise<void> {
  if (here.has(pack)) return
  if (here.size > mostCached) here.clear()
  if (!(await isHere({ local }, pack))) await get(pack)
  here.add(pack)
}
