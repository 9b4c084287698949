import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Digest } from '@heirloom/core'
import { CID } from 'multiformats/cid'
import { digestOf } from './cid.ts'

/**
 * Which blocks belong to blobs that nothing refers to yet, a file for each blob, written before the
 * blocks. What a process that is killed leaves behind can so be told from what is to stay. A note
 * that a loss of power takes with it costs room on the disk, and nothing else.
 */
export type Notes = {
  /** Begins the note of a blob. */
  begin(): Note
  /** Forgets the note of a blob, because it is to stay, or is gone. */
  forget(digest: Digest): void
  /** The blocks of each blob that an earlier process noted and did not forget, the root last. */
  readonly left: readonly { readonly cids: readonly CID[]; forget(): void }[]
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
  const paths = new Map<Digest, string[]>()
  const left = readdirSync(folder).map((name) => {
    const path = join(folder, name)
    return { cids: cidsIn(path), forget: () => rmSync(path, { force: true }) }
  })
  return {
    left,
    begin: () => {
      const path = join(folder, randomUUID())
      return {
        add: (cid) => appendFileSync(path, `${cid}\n`),
        end: (digest) => paths.set(digest, [...(paths.get(digest) ?? []), path]),
      }
    },
    forget: (digest) => {
      for (const path of paths.get(digest) ?? []) rmSync(path, { force: true })
      paths.delete(digest)
    },
  }
}

/** A last line that a crash has cut off names no block, and its block was never written. */
function cidsIn(path: string): readonly CID[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => CID.parse(line))
}

/** Returns the digest of the blob that a note is of: its root is written last. */
export function rootOf(cids: readonly CID[]): Digest | undefined {
  const root = cids.at(-1)
  return root === undefined ? undefined : digestOf(root)
}
