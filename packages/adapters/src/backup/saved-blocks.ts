import { inParallel } from '../platform/in-parallel.ts'
import { type Objects, width } from './objects.ts'
import { type Damage, problemOf, putNew, type Stored } from './saved-files.ts'

/** The blocks of a backup: the digest of each in hexadecimal, with its length in bytes. */
export type BlockList = Map<string, number>

/** The name of the file that lists the blocks of a backup. */
export const blockListName = 'blocks.list'

const blockFolder = 'blocks'

/** Returns the name that a block has below the folder `blocks` of a store, by its sha256. */
export const pathOfBlock = (digest: string): string => `${digest.slice(-2)}/1220${digest}`

/** Returns the name of the object that holds a block, by its sha256. */
export const nameOfBlock = (digest: string): string => `${blockFolder}/${pathOfBlock(digest)}`

/** Returns the sha256 of a block by its name below a folder of blocks; `undefined` for another file. */
const digestIn = (path: string): string | undefined =>
  /^[0-9a-f]{2}\/1220([0-9a-f]{64})$/.exec(path)?.[1]

/**
 * Encodes a list in the order of its entries. New blocks come last, so a list that grew begins with
 * the bytes that it had before.
 */
export const encodeBlockList = (list: BlockList): Uint8Array =>
  Buffer.from([...list].map(([digest, length]) => `${digest} ${length}\n`).join(''))

/** Decodes a list. A line that is no entry is left out. */
export const decodeBlockList = (text: string): BlockList =>
  new Map(
    [...text.matchAll(/^([0-9a-f]{64}) (\d+)$/gm)].map(([, digest = '', length]) => [
      digest,
      Number(length),
    ]),
  )

/** The result of saving blocks. */
export type SavedBlocks = {
  /** All blocks of the backup, those of earlier backups first. */
  readonly list: BlockList
  readonly added: number
  /** The blocks of the store whose bytes do not match their name; they are not saved. */
  readonly damaged: readonly string[]
  /** The number of blocks of earlier backups that are gone from the backup and from the store. */
  readonly lost: number
}

export declare namespace saveBlocks {
  type Input = {
    /** The store of the blocks: each is named as in the folder `blocks` of a data folder. */
    readonly source: Pick<Objects, 'list' | 'get'>
    /** The blocks of the backup before. */
    readonly before: BlockList
    /** Returns whether a block is of an erased memory, by its digest; then the backup drops it. */
    readonly isErased: (digest: string) => boolean
  }
}

/**
 * Saves the blocks of a store that a backup does not have in their full length. A block that the
 * store removed since stays in the backup: a store that lost blocks must not make a backup lose them.
 * Those of erased memories go.
 */
export async function saveBlocks(
  objects: Objects,
  stored: Stored,
  { source, before: earlier, isErased }: saveBlocks.Input,
): Promise<SavedBlocks> {
  const before = without(earlier, isErased)
  const here = without(await listBlocks(source), isErased)
  const damaged: string[] = []
  const isSaved = (digest: string, length: number) =>
    stored.present.get(nameOfBlock(digest)) === length
  const missing = [...here].filter(([digest, length]) => !isSaved(digest, length))
  let added = 0
  await inParallel(missing, width, async ([digest]) => {
    const bytes = await source.get(pathOfBlock(digest))
    // The server removes blocks whose mint failed.
    if (bytes === undefined) return
    if (problemOf(bytes, digest) !== undefined) {
      damaged.push(digest)
      return
    }
    await putNew(objects, stored, { name: nameOfBlock(digest), bytes })
    added += 1
  })
  // What is listed keeps its length: a block that was cut in the store replaces no whole one.
  const all = [...before, ...[...here].filter(([digest]) => !before.has(digest))]
  const list = new Map(all.filter(([digest, length]) => isSaved(digest, length)))
  const lost = [...before.keys()].filter((digest) => !list.has(digest)).length
  return { list, added, damaged, lost }
}

const without = (list: BlockList, isErased: (digest: string) => boolean): BlockList =>
  new Map([...list].filter(([digest]) => !isErased(digest)))

async function listBlocks(source: Pick<Objects, 'list'>): Promise<BlockList> {
  const names = await source.list()
  return new Map(
    [...names].flatMap(([name, length]) => {
      const digest = digestIn(name)
      return digest === undefined ? [] : [[digest, length] as const]
    }),
  )
}

/** Reads the blocks of a backup and verifies each; returns what is missing or damaged. */
export async function readBlocks(
  objects: Objects,
  list: BlockList,
  write: (path: string, bytes: Uint8Array) => Promise<void>,
): Promise<readonly Damage[]> {
  const damage: Damage[] = []
  await inParallel(list.keys(), width, async (digest) => {
    const bytes = await objects.get(nameOfBlock(digest))
    const problem = problemOf(bytes, digest)
    if (problem === undefined && bytes !== undefined) await write(pathOfBlock(digest), bytes)
    else damage.push({ part: `block ${digest}`, place: nameOfBlock(digest), problem: `${problem}` })
  })
  return damage
}
