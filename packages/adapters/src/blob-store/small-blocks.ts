import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { ifPresent, readWhole } from '../platform/durable-files.ts'
import { digestOfName, nameOfBytes, nameOfDigest } from './cid.ts'
import {
  type CompactedBlocks,
  createCompacted,
  type DigestedBlock,
  openCompacted,
} from './compacted-blocks.ts'

/**
 * The small blocks of a store. Each is written to a file of its own, which is fast and disturbs no
 * other; later it is moved into one file with others, because a small file takes as much of the disk
 * as 4 KiB, and an entry of the file system.
 *
 * A block is durable in the common file before its own file is removed, so it is never in neither.
 */
export type SmallBlocks = {
  /** Notes the file of a block that is durable. Once many are noted, they are moved. */
  written(name: string, length: number): void
  /**
   * Allows that blocks are moved from a time on, in milliseconds since 1970, and looks for the files
   * of earlier processes in a while.
   */
  start(from: number): void
  /**
   * Returns the bytes of a moved block, which the caller verifies; `undefined` for any other.
   *
   * @throws CorruptBlock, UnreachableBlocks
   */
  read(name: string): Uint8Array | undefined
  /** Reports whether a block was moved. */
  has(name: string): boolean
  /** Deletes a moved block. Its own file, if there is one, must be deleted before. */
  delete(name: string): Promise<void>
  /** Lists the names of the moved blocks. */
  names(): Iterable<string>
  close(): Promise<void>
}

export declare namespace smallBlocks {
  type Options = {
    /** The folder of the store. */
    readonly folder: string
    readonly pathOf: (name: string) => string
    /** Lists the names of all blocks that have files of their own. */
    readonly list: () => AsyncIterable<string>
    readonly settings?: Compaction | undefined
  }
}

/** When small blocks are moved. */
export type Compaction = {
  /** The number of small files that are moved at once; fewer stay where they are. */
  readonly files: number
  /** The time from the opening until the files of earlier processes are found, in milliseconds. */
  readonly delay: number
}

/** The file that holds the time from which blocks are moved, in milliseconds since 1970. */
const startFile = 'moves-from'

/** The time for which a folder of an earlier version stays as that version reads it. */
const graceTime = 7 * 86_400_000

/**
 * Returns the time from which the blocks in a folder are moved. An earlier version of the program
 * reads files only, and may be needed again soon after an upgrade; a new folder never had one.
 */
export function movesFrom(folder: string, { isNew }: { readonly isNew: boolean }): number {
  const path = join(folder, startFile)
  try {
    if (!existsSync(path)) writeFileSync(path, `${Date.now() + (isNew ? 0 : graceTime)}\n`)
    const time = Number(readFileSync(path, 'utf8').trim() || 'none')
    return Number.isNaN(time) ? later() : time
  } catch {
    // On a full disk, or one that may not be written, nothing can be moved anyway.
    return later()
  }
}

const later = () => Date.now() + graceTime

const usual: Compaction = { files: 256, delay: 10_000 }

/** The longest block that is moved, in bytes: a longer one fills most of its own file. */
export const smallLength = 4096

/** Opens the small blocks of a store. */
export function smallBlocks(options: smallBlocks.Options): SmallBlocks {
  const { folder, pathOf, settings = usual } = options
  let compacted = openCompacted(folder)
  const mover = moveInBatches(settings.files, async (names) => {
    compacted ??= await createCompacted(folder)
    const files = names.map((name) => ({ name, path: pathOf(name) }))
    await move(compacted, files)
  })
  let movedFrom = Number.POSITIVE_INFINITY
  const written = (name: string, length: number) => {
    if (length <= smallLength && Date.now() >= movedFrom) mover.add(name)
  }
  let search: NodeJS.Timeout | undefined
  return {
    written,
    start: (from) => {
      movedFrom = from
      // Files that are not found now are found at the next opening.
      const find = () => void findFiles(options, written).catch(() => undefined)
      search = setTimeout(find, settings.delay).unref()
    },
    read: (name) => compacted?.read(digestOfName(name)),
    has: (name) => compacted?.has(digestOfName(name)) ?? false,
    delete: async (name) => {
      await mover.remove(name)
      compacted?.delete(digestOfName(name))
    },
    *names() {
      for (const { digest } of compacted?.lengths() ?? []) yield nameOfDigest(digest)
    },
    close: async () => {
      clearTimeout(search)
      await mover.stop()
      compacted?.close()
    },
  }
}

/** Moves the blocks with some names, one batch after another, in the background. */
type Mover = {
  add(name: string): void
  /** Removes a name, and waits for the batch that may have it. */
  remove(name: string): Promise<void>
  /** Moves nothing more, and waits for the batch that is under way. */
  stop(): Promise<void>
}

function moveInBatches(
  size: number,
  moveBatch: (names: readonly string[]) => Promise<void>,
): Mover {
  const waiting = new Set<string>()
  let isStopped = false
  let isRunning = false
  let batch: Promise<unknown> = Promise.resolve()
  const moveNext = async () => {
    const names = [...waiting].slice(0, size)
    for (const name of names) waiting.delete(name)
    const began = performance.now()
    const moved = moveBatch(names)
    batch = moved.catch(() => undefined)
    await moved
    // Half of the time is left to others.
    await pause(performance.now() - began, undefined, { ref: false })
  }
  const run = async () => {
    isRunning = true
    try {
      while (!isStopped && waiting.size >= size) await moveNext()
    } catch {
      // What could not be synced once may be lost although a later sync succeeds, so nothing more is
      // moved then. The files stay, and the next opening finds them.
      isStopped = true
    } finally {
      // At once: a name that is added after the last look must begin another run.
      isRunning = false
    }
  }
  return {
    add: (name) => {
      waiting.add(name)
      if (!isStopped && !isRunning && waiting.size >= size) void run()
    },
    remove: async (name) => {
      waiting.delete(name)
      await batch
    },
    stop: async () => {
      isStopped = true
      await batch
    },
  }
}

/** Notes the small files that earlier processes left. */
async function findFiles(
  { list, pathOf }: smallBlocks.Options,
  note: SmallBlocks['written'],
): Promise<void> {
  for await (const name of list()) {
    const file = await ifPresent(stat(pathOf(name)))
    if (file?.isFile()) note(name, file.size)
  }
}

type BlockFile = { readonly name: string; readonly path: string }

/** The number of files that are read between two turns of the event loop. */
const readsPerTurn = 16

/** Moves the blocks of some files; leaves those whose bytes do not match their name. */
async function move(compacted: CompactedBlocks, files: readonly BlockFile[]): Promise<void> {
  const intact: (DigestedBlock & BlockFile)[] = []
  for (const [index, file] of files.entries()) {
    if (index % readsPerTurn === 0) await nextTurn()
    const bytes = await ifPresent(readWhole(file.path))
    if (bytes === undefined || nameOfBytes(bytes) !== file.name) continue
    intact.push({ ...file, digest: digestOfName(file.name), bytes })
  }
  if (intact.length === 0) return
  await compacted.add(intact)
  await Promise.all(intact.map(({ path }) => ifPresent(unlink(path))))
}
