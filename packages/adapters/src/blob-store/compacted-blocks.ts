import { closeSync, existsSync, fsync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { syncFolder } from '../platform/durable-files.ts'
import { hasRow } from '../platform/sql/inspect-file.ts'
import { createWholeFile } from '../platform/sql/whole-file.ts'
import { CorruptBlock, UnreachableBlocks } from './blob-failure.ts'

/** A block: the sha2-256 of its bytes, and the bytes. */
export type DigestedBlock = { readonly digest: Uint8Array; readonly bytes: Uint8Array }

/** Small blocks in one file. */
export type CompactedBlocks = {
  /**
   * Returns the bytes stored under a digest, which the caller verifies.
   *
   * @throws CorruptBlock, UnreachableBlocks
   */
  read(digest: Uint8Array): Uint8Array | undefined
  /** Reports whether there are bytes under a digest, in whatever state. */
  has(digest: Uint8Array): boolean
  /** Adds blocks, and replaces those with the same digests. They are durable when it resolves. */
  add(blocks: readonly DigestedBlock[]): Promise<void>
  /** Deletes a block, if it is there, and overwrites its bytes. Durable when it returns. */
  delete(digest: Uint8Array): void
  /** Lists the digests of all blocks with their lengths, the oldest first. */
  lengths(): Iterable<{ readonly digest: Uint8Array; readonly length: number }>
  /** Returns the newest blocks, at most `limit` of them. */
  newest(limit: number): readonly DigestedBlock[]
  close(): void
}

/** The name of the file in the folder of a store. */
export const compactedFile = 'compacted.sqlite'

// Longer pages leave less free behind blocks of some hundred bytes to two kilobytes, and more where
// there are few blocks.
const schema = `
  PRAGMA page_size = 32768;
  CREATE TABLE block (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    bytes BLOB NOT NULL
  ) STRICT;
  PRAGMA user_version = 1;
`

/**
 * Reports whether the compacted blocks in a folder that no process has open include a digest; true
 * when they cannot be read.
 */
export const hasCompacted = (folder: string, digest: Uint8Array): boolean =>
  hasRow(
    join(folder, compactedFile),
    'block',
    `digest = x'${Buffer.from(digest).toString('hex')}'`,
  ) ?? true

/** Reports the same of any block. */
export const hasAnyCompacted = (folder: string): boolean =>
  hasRow(join(folder, compactedFile), 'block') ?? true

/** Opens the file of compacted blocks in a folder; `undefined` if there is none. */
export function openCompacted(folder: string): CompactedBlocks | undefined {
  const path = join(folder, compactedFile)
  return existsSync(path) ? blocksIn(path) : undefined
}

/** Opens the file of compacted blocks in a folder, which is created if it does not exist. */
export async function createCompacted(folder: string): Promise<CompactedBlocks> {
  const path = join(folder, compactedFile)
  createWholeFile(path, (file) => file.exec(schema))
  const blocks = blocksIn(path)
  await syncFolder(dirname(path))
  return blocks
}

/** The time that this process stands still for another one which writes, in milliseconds. */
const busyTimeout = 1000

function blocksIn(path: string): CompactedBlocks {
  const file = new DatabaseSync(path, { timeout: busyTimeout })
  try {
    file.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA secure_delete = ON;
    `)
    requireKnownFormat(file)
    return blocksOn(file, path)
  } catch (error) {
    file.close()
    throw error
  }
}

function requireKnownFormat(file: DatabaseSync): void {
  const format = file.prepare('PRAGMA user_version').get()?.user_version
  if (format !== 1) throw new Error(`Its compacted blocks have the unknown format ${format}.`)
}

/** The number of blocks in one read of a list. */
const listLength = 1000

function blocksOn(file: DatabaseSync, path: string): CompactedBlocks {
  const read = file.prepare('SELECT bytes FROM block WHERE digest = ?')
  const find = file.prepare('SELECT 1 FROM block WHERE digest = ?')
  const add = file.prepare('INSERT OR REPLACE INTO block (digest, bytes) VALUES (?, ?)')
  const remove = file.prepare('DELETE FROM block WHERE digest = ?')
  const newest = file.prepare('SELECT digest, bytes FROM block ORDER BY id DESC LIMIT ?')
  const list = file.prepare(
    'SELECT id, digest, length(bytes) AS length FROM block WHERE id > ? ORDER BY id LIMIT ?',
  )
  const page = (after: number) => list.all(after, listLength) as unknown as readonly Row[]
  return {
    read: (digest) => orBlockError(() => read.get(digest)?.bytes as Uint8Array | undefined),
    has: (digest) => find.get(digest) !== undefined,
    add: async (blocks) => {
      // SQLite waits for the disk in the event loop, so this waits for the log instead.
      commitWithoutSync(file, () => {
        for (const { digest, bytes } of blocks) add.run(digest, bytes)
      })
      await syncFile(`${path}-wal`)
      // The log is a new file after each start.
      await syncFolder(dirname(path))
    },
    delete: (digest) => {
      if (find.get(digest) !== undefined) remove.run(digest)
    },
    *lengths() {
      for (let rows = page(0); rows.length > 0; rows = page(rows.at(-1)?.id ?? 0)) {
        yield* rows
      }
    },
    newest: (limit) => newest.all(limit) as unknown as readonly DigestedBlock[],
    close: () => {
      if (file.isOpen) file.close()
    },
  }
}

/** The codes of SQLite for a file whose bytes are damaged. */
const damaged = [11, 26]

function orBlockError<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const { errcode } = cause as { readonly errcode?: number }
    // The low byte is the code; the others say more about it.
    if (errcode !== undefined && damaged.includes(errcode & 0xff)) throw new CorruptBlock()
    throw new UnreachableBlocks('The compacted blocks could not be read.', { cause })
  }
}

type Row = { readonly id: number; readonly digest: Uint8Array; readonly length: number }

function commitWithoutSync(file: DatabaseSync, work: () => void): void {
  file.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE')
  try {
    work()
    file.exec('COMMIT')
  } catch (error) {
    if (file.isTransaction) file.exec('ROLLBACK')
    throw error
  } finally {
    file.exec('PRAGMA synchronous = FULL')
  }
}

const sync = promisify(fsync)

// SQLite locks no log, so closing this descriptor releases no lock of this process.
async function syncFile(path: string): Promise<void> {
  const file = openSync(path, 'r+')
  try {
    await sync(file)
  } finally {
    closeSync(file)
  }
}
