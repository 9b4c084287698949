import { Failure } from '../failure.ts'
import type { Digest } from '../values/branded.ts'

/**
 * Stores sealed bundles and card blocks under the digest of their root block.
 *
 * Laws
 * - returns the bytes that were put
 * - returns the same digest for equal bytes
 * - returns different digests for different bytes
 * - retains bytes that are put again
 * - stores blobs that are put at the same time
 * - refuses an unknown digest with `blob/not-found`
 * - removes one blob and no other
 * - returns the head of a blob and only bytes that were put
 * - returns a stretch of a blob
 * - refuses a blob that is longer than a bound with `blob/corrupt`
 * - shares no bytes of a blob of more than 128 KiB with those who put or get it
 */
export interface BlobStore {
  /**
   * Stores `bytes` durably and returns the digest that retrieves them. `head` can then read the
   * first `headLength` of them alone, at most 131,072. A store may return another digest for the
   * same bytes when `headLength` differs. Does not use `bytes` any more when it returns: the caller may release them.
   *
   * @throws `blob/unavailable`; a `RangeError` for a longer head
   */
  put(bytes: Uint8Array, headLength?: number): Promise<Digest>
  /**
   * Returns the bytes stored under `digest`, or a stretch of them, which lies within them. For a
   * stretch it reads the smallest parts that the store can verify, and of a blob that is longer than
   * `atMost` nothing but what tells its length. More than 128 KiB are the caller's own, which may
   * release them; fewer may be those of a cache.
   *
   * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
   */
  get(digest: Digest, range?: Stretch | LengthBound): Promise<Uint8Array>
  /**
   * Returns the head of the blob under `digest`; more bytes of the blob may follow it. Reads the
   * smallest part that the store can verify.
   *
   * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
   */
  head(digest: Digest): Promise<Uint8Array>
  /**
   * Removes the bytes stored under `digest`, if there are any. Two blobs never share a block that
   * could be lost with one of them: sealed bytes are random, and a card block holds the content
   * hash of its memory.
   *
   * @throws `blob/unavailable`
   */
  remove(digest: Digest): Promise<void>
}

/** A stretch of bytes; both numbers are in bytes. */
export type Stretch = { readonly offset: number; readonly length: number }

/** The most bytes that a blob may have; anyone can make a blob that is longer than any memory. */
export type LengthBound = { readonly atMost: number }

/**
 * Returns a view of a stretch of a blob, or of all of it.
 *
 * @throws `blob/corrupt` when the blob is longer than a bound
 */
export function viewOf(
  { digest, bytes }: { readonly digest: Digest; readonly bytes: Uint8Array },
  range: Stretch | LengthBound | undefined,
): Uint8Array {
  if (range === undefined) return bytes
  if ('offset' in range) return bytes.subarray(range.offset, range.offset + range.length)
  if (bytes.length > range.atMost) throw new Failure('blob/corrupt', { digest })
  return bytes
}

/**
 * Holds blobs in a place that outlives the process, such as a folder or a bucket. It is the closed
 * form of a `BlobStore`: a server opens it as one, claims the blobs that tokens refer to, and removes
 * the orphans of a process that was killed.
 *
 * Laws
 * - returns after a reopening what was put before
 * - retains a blob whose put succeeded during closing
 * - reads locally what was put, and refuses an unknown digest with `blob/not-found`
 * - reads locally no blob that only a peer has
 * - sweeps unclaimed blobs of an earlier opening
 * - retains claimed blobs
 * - retains unclaimed blobs that are referenced
 * - retains unclaimed blobs of its own opening
 * - retains what another storage at its place put
 * - claims with a promise, also what is not stored
 * - verifies intact blobs as intact
 * - verifies a damaged blob as corrupt
 * - lists the parts of a blob, and removes them one by one
 */
export interface BlobStorage {
  /**
   * Opens the storage. Only one process at a time may have it open with the same folder.
   *
   * @throws `blob/unavailable`
   */
  open(): Promise<OpenBlobStore>
  /**
   * Checks stored parts, at most `limit` of them: the newest, or a sample where the storage cannot
   * find those. Names the parts whose bytes no longer match their digest. Another process may have
   * the storage open. Absent where the storage cannot list its parts.
   *
   * @throws `blob/unavailable`
   */
  verify?(limit: number): Promise<BlobVerification>
  /**
   * Returns a sentence on each thing that an operator should know of the place, such as that it
   * keeps what is removed. Absent where there is nothing to know.
   *
   * @throws `blob/unavailable`
   */
  warnings?(): Promise<readonly string[]>
}

/** Reads of what is stored at one place. */
export type LocalReads = Pick<BlobStore, 'get' | 'head'> & {
  /**
   * Reads and verifies each part of a blob once, one at a time, and returns the length of the blob in
   * bytes. Absent where a blob is read as a whole.
   *
   * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
   */
  measure?(digest: Digest): Promise<number>
}

/** A blob store that a server opened, and closes. */
export interface OpenBlobStore extends BlobStore {
  /** Reads only what is stored here. Asks no peer, so that a stranger cannot cause a search. */
  readonly local: LocalReads
  /**
   * Claims a stored blob, because a token refers to it. A claim that fails costs one check at the
   * next sweep. The answer to a mint waits for it for a few seconds at most.
   */
  claim(digest: Digest): Promise<void>
  /**
   * Returns the digests of the parts that a blob here consists of, itself first: each is shorter than
   * the whole, and another machine may store it alone. Empty where the blob is not here. Absent where
   * each blob is one part.
   *
   * @throws `blob/unavailable`
   */
  parts?(digest: Digest): Promise<readonly Digest[]>
  /**
   * Removes single parts, and nothing that they refer to: a stranger can write a part that refers to
   * those of others. Absent where each blob is one part.
   *
   * @throws `blob/unavailable`
   */
  removeParts?(digests: readonly Digest[]): Promise<void>
  /**
   * Removes the orphans: blobs that earlier openings put and nobody claimed, unless `isReferenced`
   * returns true for them. Retains the blobs of servers that share the place: they have other
   * folders, and may put a blob and claim it later.
   *
   * @throws `blob/unavailable`
   */
  sweep(isReferenced: (digest: Digest) => Promise<boolean>): Promise<void>
  /**
   * Returns the last count of the copies on other machines; `undefined` before the first one has
   * ended. Absent where a place makes no copies itself.
   */
  readonly copies?: () => CopyCount | undefined
  /** Returns what other machines have stored here. Absent where a place takes no copies of others. */
  readonly ofPeers?: () => PeerStorage
  /**
   * Returns by how many milliseconds the clock of this machine was ahead of that of the place when it
   * answered last; `undefined` before it has. Absent where the place has no clock of its own.
   */
  readonly clockAhead?: () => number | undefined
  /** Waits until nothing is being written; then the storage may be opened again. */
  close(): Promise<void>
}

/** A count of the copies of the stored parts. */
export type CopyCount = {
  /** The parts that are stored here. */
  readonly blocks: number
  /** Those of them that too few machines hold. */
  readonly tooFew: number
}

/** A copy of another machine that was refused, because it has too much here or the disk is too full. */
export type CopyRefusal = {
  /** The peer id of the machine. */
  readonly peer: string
  /** The bytes that it has stored here. */
  readonly bytes: number
  /** The most bytes that it may store. */
  readonly limit: number
}

/** The bytes that other machines have stored in a place. */
export type PeerStorage = {
  /** The most bytes that each of them may store. */
  readonly limit: number
  readonly peers: readonly {
    /** The peer id. */
    readonly peer: string
    /** The bytes that it has stored and not taken back. */
    readonly bytes: number
    /** The copies that were refused since the start, for want of room. */
    readonly refused: number
  }[]
}

/** The result of a verification. */
export type BlobVerification = {
  /** The number of parts that were read. */
  readonly checked: number
  /** The names of those whose bytes no longer match their digest. */
  readonly corrupt: readonly string[]
}

/** The place of a storage, from the settings of a server. */
export type BlobPlace = {
  /**
   * A folder for this storage alone, which may not exist yet. Servers that share a place outside it
   * have a folder each.
   */
  readonly folder: string
  /** The value of `BLOB_URL`, which may contain a password; absent where it is not set. */
  readonly url: string | undefined
  /**
   * The first part of the name of each stored object: empty, or a path with a slash at its end. A
   * storage outside `folder` needs it: `heirloom doctor` checks the laws under a prefix of its own.
   */
  readonly prefix: string
}

/** The exports of a module that `BLOB_STORE` names. */
export type BlobStorageModule = {
  /** Returns the storage at a place. Opens nothing. */
  readonly blobStorage: (place: BlobPlace) => BlobStorage
}

/**
 * Opens a storage, runs an action on its store, and closes it, also after an error.
 *
 * @throws what `open`, the action and `close` throw
 */
export async function whileOpen<T>(
  storage: BlobStorage,
  act: (store: OpenBlobStore) => Promise<T>,
): Promise<T> {
  const store = await storage.open()
  try {
    return await act(store)
  } finally {
    await store.close()
  }
}
