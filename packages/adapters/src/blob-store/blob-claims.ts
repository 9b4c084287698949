import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Digest } from '@heirloom/core'
import { CID } from 'multiformats/cid'
import { digestOf } from './cid.ts'

/**
 * A log of the blocks of blobs that nothing refers to yet. Each block is logged before it is
 * written, so after a crash the orphans are known. A power loss may lose an entry of the log; that
 * costs disk space, and nothing else.
 */
export type BlobClaims = {
  /** Starts the entry of a blob that is about to be stored. */
  begin(): UnclaimedBlob
  /** Ends the entries of a blob that was claimed or removed. */
  settle(digest: Digest): void
  /** The unsettled entries of earlier processes, each with its blocks, the root last. */
  readonly orphans: readonly { readonly cids: readonly CID[]; settle(): void }[]
  close(): void
}

/** The entry of one blob in the log. */
export type UnclaimedBlob = {
  /** Logs a block that is about to be written. */
  add(cid: CID): void
  /** Binds the entry to the digest of the stored blob. */
  end(digest: Digest): void
}

/** Opens the log in a folder, which is created when it does not exist. */
export function openBlobClaims(folder: string): BlobClaims {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'notes')
  const orphans = readLog(path)
  const log = openLog(path, orphans)
  const stored = new Map<Digest, number[]>()
  let next = Math.max(0, ...orphans.keys()) + 1
  return {
    orphans: [...orphans].map(([id, cids]) => ({ cids, settle: () => log.settle(id) })),
    begin: () => {
      const id = next++
      return {
        add: (cid) => log.add(id, cid),
        end: (digest) => stored.set(digest, [...(stored.get(digest) ?? []), id]),
      }
    },
    settle: (digest) => {
      for (const id of stored.get(digest) ?? []) log.settle(id)
      stored.delete(digest)
    },
    close: log.close,
  }
}

type Log = {
  add(id: number, cid: CID): void
  settle(id: number): void
  close(): void
}

/** The length of the log file from which it is compacted, in bytes. */
const compactionLength = 262_144

// Each line also begins with a line break, so that a line that a full disk truncated spoils no other.
const blockLine = (id: number, cid: CID): string => `\n${id} ${cid}\n`
const settledLine = (id: number): string => `\n${id} ${settledMark}\n`

/** The word in the place of a CID where an entry is settled. */
const settledMark = 'forgotten'

/** Opens a log file that begins with the unsettled entries. */
function openLog(path: string, unsettled: Map<number, readonly CID[]>): Log {
  let length = replaceLog(path, unsettled)
  let closed = false
  // No descriptor stays open: a disk that fails may become read-only while the store is open.
  const append = (line: string) => {
    if (closed) throw new Error('The log of unclaimed blobs is closed.')
    appendFileSync(path, line)
    length += line.length
  }
  return {
    add: (id, cid) => {
      append(blockLine(id, cid))
      unsettled.set(id, [...(unsettled.get(id) ?? []), cid])
    },
    settle: (id) => {
      unsettled.delete(id)
      try {
        append(settledLine(id))
        if (length > compactionLength) length = replaceLog(path, unsettled)
      } catch {
        // An entry that is still in the log costs one check at the next sweep, and nothing else.
      }
    },
    close: () => {
      closed = true
    },
  }
}

/** Replaces the log file atomically by one with these entries, and returns its length. */
function replaceLog(path: string, entries: ReadonlyMap<number, readonly CID[]>): number {
  const lines = [...entries].flatMap(([id, cids]) => cids.map((cid) => blockLine(id, cid))).join('')
  writeFileSync(`${path}.new`, lines)
  renameSync(`${path}.new`, path)
  return lines.length
}

/** Reads the unsettled entries; a truncated line is ignored. */
function readLog(path: string): Map<number, readonly CID[]> {
  const unsettled = new Map<number, readonly CID[]>()
  if (!existsSync(path)) return unsettled
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, number, word = ''] = /^([1-9][0-9]*) (\w+)$/.exec(line) ?? []
    const id = Number(number)
    if (word === settledMark) unsettled.delete(id)
    for (const cid of parseCid(word)) unsettled.set(id, [...(unsettled.get(id) ?? []), cid])
  }
  return unsettled
}

function parseCid(word: string): readonly CID[] {
  try {
    return [CID.parse(word)]
  } catch {
    return []
  }
}

/** Returns the digest of an unclaimed blob, which is that of its last block, the root. */
export function rootOf(cids: readonly CID[]): Digest | undefined {
  const root = cids.at(-1)
  return root === undefined ? undefined : digestOf(root)
}
