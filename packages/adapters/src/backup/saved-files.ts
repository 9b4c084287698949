import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inParallel } from '../platform/in-parallel.ts'
import type { SavedFile } from './manifest.ts'
import { type Objects, width } from './objects.ts'

/** The length of a chunk, in bytes: what a backup stores again when one byte of it has changed. */
const chunkLength = 65_536

const chunkFolder = 'chunks'

/** Returns the name of a chunk in a backup. */
export const chunkName = (digest: string): string =>
  `${chunkFolder}/${digest.slice(0, 2)}/${digest}`

/** Returns whether an object of a backup is a chunk of a file. */
export const isChunk = (name: string): boolean => name.startsWith(`${chunkFolder}/`)

/** The objects of a backup so far, and the bytes that it added. */
export type Stored = {
  /** The names and lengths of all objects. */
  readonly present: Map<string, number>
  /** The bytes that this backup added. */
  added: number
}

/** Stores a part of a file that is not there yet in its full length. */
async function putIfMissing(
  objects: Objects,
  stored: Stored,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<void> {
  if (stored.present.get(name) !== bytes.length) await putNew(objects, stored, { name, bytes })
}

/** Stores an object, and counts it. */
export async function putNew(
  objects: Objects,
  stored: Stored,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<void> {
  await objects.put(name, bytes)
  stored.present.set(name, bytes.length)
  stored.added += bytes.length
}

type Source = { readonly name: string; readonly path: string }

/** Saves a file that nobody changes meanwhile, chunk by chunk. */
export async function saveFile(
  objects: Objects,
  stored: Stored,
  { name, path }: Source,
): Promise<SavedFile> {
  const file = openSync(path, 'r')
  try {
    const { size: length } = fstatSync(file)
    const read = (bytes: Uint8Array, at: number) => readSync(file, bytes, 0, bytes.length, at)
    return { name, length, chunks: await saveChunks(objects, stored, { length, read }) }
  } finally {
    closeSync(file)
  }
}

/** Saves bytes as a file. */
export async function saveBytes(
  objects: Objects,
  stored: Stored,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<SavedFile> {
  const read = (into: Uint8Array, at: number) =>
    into.set(bytes.subarray(at, at + into.length)) ?? into.length
  const { length } = bytes
  return { name, length, chunks: await saveChunks(objects, stored, { length, read }) }
}

type Readable = {
  readonly length: number
  /** Fills an array with the bytes from a position on, and returns how many there were. */
  readonly read: (into: Uint8Array, at: number) => number
}

async function saveChunks(
  objects: Objects,
  stored: Stored,
  { length, read }: Readable,
): Promise<readonly string[]> {
  const digests: string[] = []
  const starts = Array.from(
    { length: Math.ceil(length / chunkLength) },
    (_, index) => index * chunkLength,
  )
  await inParallel(starts, width, async (at) => {
    const bytes = new Uint8Array(Math.min(chunkLength, length - at))
    if (read(bytes, at) < bytes.length) throw new Error('A file became shorter while it was saved.')
    const digest = hash('sha256', bytes)
    digests[at / chunkLength] = digest
    await putIfMissing(objects, stored, { name: chunkName(digest), bytes })
  })
  return digests
}

/** A problem of a part of a backup. */
export type Damage = { readonly part: string; readonly place: string; readonly problem: string }

/**
 * Reads a saved file in order, and verifies each chunk. Returns the damage instead of the rest of
 * the bytes when a chunk is missing or altered.
 */
export async function readSavedFile(
  objects: Objects,
  { name, length, chunks }: SavedFile,
  write: (bytes: Uint8Array, at: number) => void,
): Promise<readonly Damage[]> {
  const damage: Damage[] = []
  await inParallel(chunks.entries(), width, async ([index, digest]) => {
    const at = index * chunkLength
    const bytes = await objects.get(chunkName(digest))
    const problem = problemOf(bytes, digest)
    if (problem === undefined && bytes !== undefined) write(bytes, at)
    else
      damage.push({ part: `${name}, byte ${at}`, place: chunkName(digest), problem: `${problem}` })
  })
  if (damage.length > 0 || lengthOf(chunks.length, length)) return damage
  return [{ part: name, place: 'manifest.json', problem: 'has another length than its chunks' }]
}

const lengthOf = (chunks: number, length: number): boolean =>
  Math.ceil(length / chunkLength) === chunks

/** Returns what is wrong with bytes that should have a digest; `undefined` if nothing is. */
export function problemOf(bytes: Uint8Array | undefined, digest: string): string | undefined {
  if (bytes === undefined) return 'is missing'
  return hash('sha256', bytes) === digest ? undefined : 'is damaged'
}
