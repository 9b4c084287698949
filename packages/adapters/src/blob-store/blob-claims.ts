import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Digest } from '@heirloom/core'
import { CID } from 'multiformats/cid'
import { digestOf } from './cid.ts'

/**
 * Which blocks belong to blobs that nothing refers to yet, written before the blocks. What a process
 * that is killed leaves behind can so be told from what is to stay. A note that a loss of power
 * takes with it costs room on the disk, and nothing else.
 */
export type Notes = {
  /** Begins the note of a blob. */
  begin(): Note
  /** Forgets the notes of a blob, because it is to stay, or is gone. */
  forget(digest: Digest): void
  /** The blocks of each blob that an earlier process noted and did not forget, the root last. */
  readonly left: readonly { readonly cids: readonly CID[]; forget(): void }[]
  close(): void
}

export type Note = {
  /** Notes a block that is about to be written. */
  add(cid: CID): void
  /** Ends the note of a blob that is stored. */
  end(digest: Digest): void
}

/** Opens the notes in a folder, which is made when it does not exist. */
export function openNotes(folder: string): Notes {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'notes')
  const left = notesIn(path)
  const log = openLog(path, left)
  const stored = new Map<Digest, number[]>()
  let next = Math.max(0, ...left.keys()) + 1
  return {
    left: [...left].map(([id, cids]) => ({ cids, forget: () => log.forget(id) })),
    begin: () => {
      const id = next++
      return {
        add: (cid) => log.add(id, cid),
        end: (digest) => stored.set(digest, [...(stored.get(digest) ?? []), id]),
      }
    },
    forget: (digest) => {
      for (const id of stored.get(digest) ?? []) log.forget(id)
      stored.delete(digest)
    },
    close: log.close,
  }
}

type Log = {
  add(id: number, cid: CID): void
  forget(id: number): void
  close(): void
}

/** How long the file of the notes may grow, in bytes, before it is written anew. */
const longest = 262_144

// Every line begins with a line break of its own, so that one which a full disk cut off spoils no
// other.
const lineOf = (id: number, cid: CID): string => `\n${id} ${cid}\n`
const endOf = (id: number): string => `\n${id} ${forgotten}\n`

/** What stands in the place of a block where a note ends. */
const forgotten = 'forgotten'

/** Opens the file of the notes, which begins with those of `noted`. */
function openLog(path: string, noted: Map<number, readonly CID[]>): Log {
  let file = begin(path, noted)
  let closed = false
  const append = (line: string) => {
    if (closed) throw new Error('The notes are closed.')
    appendFileSync(file.descriptor, line)
    file.length += line.length
  }
  const renew = () => {
    const old = file
    file = begin(path, noted)
    closeSync(old.descriptor)
  }
  return {
    add: (id, cid) => {
      append(lineOf(id, cid))
      noted.set(id, [...(noted.get(id) ?? []), cid])
    },
    forget: (id) => {
      noted.delete(id)
      try {
        append(endOf(id))
        if (file.length > longest) renew()
      } catch {
        // A note too many costs a question at the next opening, and nothing else.
      }
    },
    close: () => {
      if (!closed) closeSync(file.descriptor)
      closed = true
    },
  }
}

/** Puts a file with these notes in the place of the one before, whole or not at all. */
function begin(path: string, noted: ReadonlyMap<number, readonly CID[]>) {
  const lines = [...noted].flatMap(([id, cids]) => cids.map((cid) => lineOf(id, cid))).join('')
  rmSync(`${path}.new`, { force: true })
  const descriptor = openSync(`${path}.new`, 'a')
  try {
    appendFileSync(descriptor, lines)
    renameSync(`${path}.new`, path)
    return { descriptor, length: lines.length }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Reads the notes that were begun and not forgotten; what a crash has cut off is none. */
function notesIn(path: string): Map<number, readonly CID[]> {
  const noted = new Map<number, readonly CID[]>()
  if (!existsSync(path)) return noted
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, number, word = ''] = /^([1-9][0-9]*) (\w+)$/.exec(line) ?? []
    const id = Number(number)
    if (word === forgotten) noted.delete(id)
    for (const cid of parsed(word)) noted.set(id, [...(noted.get(id) ?? []), cid])
  }
  return noted
}

function parsed(word: string): readonly CID[] {
  try {
    return [CID.parse(word)]
  } catch {
    return []
  }
}

/** Returns the digest of the blob that a note is of: its root is written last. */
export function rootOf(cids: readonly CID[]): Digest | undefined {
  const root = cids.at(-1)
  return root === undefined ? undefined : digestOf(root)
}
