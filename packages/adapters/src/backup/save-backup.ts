import { Failure } from '@heirloom/core'
import { type Backup, findBackup, requireOwnPlace } from './backup.ts'
import { encodeManifest, type Manifest, manifestName, type SavedFile } from './manifest.ts'
import type { Objects } from './objects.ts'
import {
  type BlockList,
  blockListName,
  encodeBlockList,
  nameOfBlock,
  type SavedBlocks,
  saveBlocks,
} from './saved-blocks.ts'
import { chunkName, isChunk, type Stored, saveBytes, saveFile } from './saved-files.ts'

/** The result of a backup. */
export type SaveReport = {
  readonly manifest: Manifest
  /** The blocks and the bytes that were not in the backup before. */
  readonly added: { readonly blocks: number; readonly bytes: number }
  readonly damaged: SavedBlocks['damaged']
  readonly lost: SavedBlocks['lost']
}

export declare namespace saveBackup {
  type Input = Omit<Manifest, 'files' | 'blocks' | 'finishedAt'> & {
    /** Files that nobody changes meanwhile. */
    readonly files: readonly { readonly name: string; readonly path: string }[]
    /** The store of the blocks, which may go on changing; absent to save none. */
    readonly blocks: Pick<Objects, 'list' | 'get'> | undefined
    /** The file with the digests of erased blobs, read after the blocks, if it is there by then. */
    readonly erased?: ErasedList | undefined
    /** Returns milliseconds since 1970. */
    readonly now: () => number
  }
}

/**
 * Saves an installation, or what changed in it since the last backup at this place. The blocks are
 * read after the files, so they hold every memory that the files name. The manifest is replaced last:
 * until then the old backup is whole. What only the old one needed is removed at the end.
 *
 * @throws `backup/damaged`, `backup/unavailable`, `backup/unusable`
 */
export async function saveBackup(
  objects: Objects,
  { files, blocks, now, erased, ...facts }: saveBackup.Input,
): Promise<SaveReport> {
  const before = await findBackup(objects)
  await requireOwnPlace(objects, before?.manifest, facts.installation)
  const stored: Stored = { present: new Map(await objects.list()), added: 0 }
  const saved: SavedFile[] = []
  for (const file of files) saved.push(await saveFile(objects, stored, file))
  const retained = await listRetained(before)
  const digests = erased?.read()
  const isErased = (digest: string) => digests?.has(digest) ?? false
  const found =
    blocks === undefined
      ? { list: retained, added: 0, damaged: [], lost: 0 }
      : await saveBlocks(objects, stored, { source: blocks, before: retained, isErased })
  if (erased !== undefined && erased.read().size > 0) {
    saved.push(await saveFile(objects, stored, erased))
  }
  const bytes = encodeBlockList(found.list)
  saved.push(await saveBytes(objects, stored, { name: blockListName, bytes }))
  const manifest = { ...facts, files: saved, blocks: sizeOf(found.list), finishedAt: now() }
  await requireUnchanged(objects, before)
  await objects.put(manifestName, encodeManifest(manifest))
  await removeUnused(objects, stored, saved)
  await removeErased(objects, stored, digests ?? new Set())
  const { added, damaged, lost } = found
  return { manifest, added: { blocks: added, bytes: stored.added }, damaged, lost }
}

/** A list of the digests of erased blobs, in hexadecimal, in a file that is replaced as a whole. */
export type ErasedList = {
  readonly name: string
  readonly path: string
  readonly read: () => ReadonlySet<string>
}

/** Removes the blocks of erased memories, which the new manifest does not list any more. */
async function removeErased(
  objects: Objects,
  { present }: Stored,
  digests: ReadonlySet<string>,
): Promise<void> {
  for (const name of [...digests].map(nameOfBlock)) {
    if (present.has(name)) await objects.remove(name)
  }
}

/** Returns the blocks that an earlier backup lists; none when its list is damaged, or there is none. */
async function listRetained(before: Backup | undefined): Promise<BlockList> {
  if (before === undefined) return new Map()
  const { list } = await before.blockList()
  return list
}

const sizeOf = (list: BlockList): Manifest['blocks'] => ({
  count: list.size,
  bytes: [...list.values()].reduce((sum, length) => sum + length, 0),
})

/**
 * Refuses to replace a backup that another process made meanwhile: it may need what this one would
 * remove. A folder is locked; in a bucket nothing else tells two processes of each other.
 */
async function requireUnchanged(objects: Objects, before: Backup | undefined): Promise<void> {
  const found = await findBackup(objects)
  if (found?.manifest.finishedAt === before?.manifest.finishedAt) return
  const problem = 'another backup was made there meanwhile; run one at a time'
  throw new Failure('backup/unusable', { place: objects.place, problem })
}

async function removeUnused(
  objects: Objects,
  { present }: Stored,
  files: readonly SavedFile[],
): Promise<void> {
  const used = new Set(files.flatMap(({ chunks }) => chunks.map(chunkName)))
  for (const name of present.keys()) {
    if (isChunk(name) && !used.has(name)) await objects.remove(name)
  }
}
