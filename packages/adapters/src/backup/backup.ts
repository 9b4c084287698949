import { Failure } from '@heirloom/core'
import {
  decodeManifest,
  type Manifest,
  manifestName,
  type SavedFile,
  type Succession,
} from './manifest.ts'
import type { Objects } from './objects.ts'
import { type BlockList, blockListName, decodeBlockList } from './saved-blocks.ts'
import { type Damage, readSavedFile } from './saved-files.ts'

/** A backup that is whole as far as its manifest says. */
export type Backup = {
  readonly manifest: Manifest
  /** Reads the list of its blocks, and what is damaged in the list. */
  blockList(): Promise<{ readonly list: BlockList; readonly damage: readonly Damage[] }>
}

/** The name of the object that says which copy of an installation writes. */
const writerName = 'writer.json'

/**
 * Returns the backup at a place; `undefined` if there is none.
 *
 * @throws `backup/damaged`, `backup/unavailable`, `backup/unusable` when a newer program made it
 */
export async function findBackup(objects: Objects): Promise<Backup | undefined> {
  const bytes = await objects.get(manifestName)
  if (bytes === undefined) return undefined
  const manifest = decodeManifest(bytes, objects.place)
  return { manifest, blockList: () => readBlockList(objects, manifest) }
}

/**
 * Returns the backup at a place.
 *
 * @throws `backup/damaged`, `backup/unavailable`, `backup/unusable` when there is none
 */
export async function requireBackup(objects: Objects): Promise<Backup> {
  const found = await findBackup(objects)
  if (found !== undefined) return found
  const problem = `it holds no backup, because it has no ${manifestName}; name the folder or the bucket that heirloom backup wrote to`
  throw new Failure('backup/unusable', { place: objects.place, problem })
}

async function readBlockList(objects: Objects, { files }: Manifest) {
  const file = files.find(({ name }) => name === blockListName)
  if (file === undefined) return { list: new Map<string, number>(), damage: [] }
  const { bytes, damage } = await readSavedBytes(objects, file)
  return { list: decodeBlockList(Buffer.from(bytes).toString()), damage }
}

async function readSavedBytes(objects: Objects, file: SavedFile) {
  const bytes = new Uint8Array(file.length)
  const damage = await readSavedFile(objects, file, (part, at) => bytes.set(part, at))
  return { bytes, damage }
}

/**
 * Refuses a place with the backup of another installation, or one that a later copy of this
 * installation writes to.
 *
 * @throws `backup/damaged`, `backup/superseded`, `backup/unavailable`, `backup/unusable`
 */
export async function requireOwnPlace(
  objects: Objects,
  manifest: Manifest | undefined,
  own: Succession,
): Promise<void> {
  const { place } = objects
  const writers = [await readWriter(objects), manifest?.installation].filter(
    (it) => it !== undefined,
  )
  if (writers.some(({ id }) => id !== own.id)) {
    const problem =
      'it holds the backup of another installation; choose a place of its own for each'
    throw new Failure('backup/unusable', { place, problem })
  }
  if (writers.some((writer) => isLater(writer, own))) {
    throw new Failure('backup/superseded', { place })
  }
}

const isLater = (writer: Succession, own: Succession): boolean =>
  writer.epoch > own.epoch || (writer.epoch === own.epoch && writer.copy !== own.copy)

/** Returns the epoch for a new copy, which is later than all that wrote to a place. */
export async function nextEpoch(objects: Objects, { installation }: Manifest): Promise<number> {
  const writer = await readWriter(objects)
  return Math.max(writer?.epoch ?? 0, installation.epoch) + 1
}

/** Records that from now on only this copy of an installation and later ones write to a place. */
export const recordWriter = (objects: Objects, { id, epoch, copy }: Succession): Promise<void> =>
  objects.put(writerName, Buffer.from(`${JSON.stringify({ id, epoch, copy })}\n`))

async function readWriter(objects: Objects): Promise<Succession | undefined> {
  const bytes = await objects.get(writerName)
  if (bytes === undefined) return undefined
  try {
    const { id, epoch, copy } = JSON.parse(Buffer.from(bytes).toString())
    return { id: String(id), epoch: Number(epoch), copy: String(copy) }
  } catch {
    const problem = `${writerName} is not what was written`
    throw new Failure('backup/damaged', { place: objects.place, problem })
  }
}
