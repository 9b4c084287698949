import { randomUUID } from 'node:crypto'
import { accessSync, existsSync, renameSync } from 'node:fs'
import { mkdir, readdir, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BaseBlockstore } from 'blockstore-core/base'
import type { Pair } from 'interface-blockstore'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import * as multihash from 'multiformats/hashes/digest'
import {
  createFolder,
  makeFolder,
  readWhole,
  syncFolder,
  writeSynced,
} from '../platform/durable-files.ts'
import { CorruptBlock, isSystemError, MissingBlock, UnreachableBlocks } from './blob-failure.ts'
import { nameOf, nameOfBytes, pathOf, sha256Of } from './cid.ts'
import { type Compaction, movesFrom, type SmallBlocks, smallBlocks } from './small-blocks.ts'

type Options = { readonly signal?: AbortSignal | undefined }
type Bytes = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Stores IPFS blocks in a folder: each in a file named after the multihash, from which `SmallBlocks`
 * moves the small ones into one file.
 *
 * `put` and `delete` are durable when they return. A file is written under another name and renamed,
 * so it is whole or absent after a kill, and a power failure during the first `put` of a block leaves at
 * worst a corrupt one. Every read compares the bytes with the digest: a corrupt block counts as absent,
 * so that the next `put` replaces it. Only sha2-256 is supported. At most
 * one process may have the folder open.
 */
export class DurableBlockstore extends BaseBlockstore {
  readonly #blocks: string
  readonly #temporary: string
  /** The shards whose folder is durable. */
  readonly #shards = new Map<string, Promise<void>>()
  readonly #writing = new Map<string, Promise<void>>()
  /** The blocks that can be read although their names may not be durable yet. */
  readonly #unsettled = new Set<string>()
  readonly #small: SmallBlocks

  private constructor(folder: string, settings: Compaction | undefined) {
    super()
    this.#blocks = join(folder, 'blocks')
    this.#temporary = join(folder, 'temporary')
    const files = { pathOf: (name: string) => this.#pathOf(name), list: () => this.#listFiles() }
    this.#small = smallBlocks({ folder, ...files, settings })
  }

  /** Opens a folder, which is created when it does not exist, and removes temporary files. */
  static async open(folder: string, settings?: Compaction): Promise<DurableBlockstore> {
    const store = new DurableBlockstore(folder, settings)
    await rm(store.#temporary, { recursive: true, force: true })
    makeFolder(dirname(folder))
    const isNew = !existsSync(store.#blocks)
    for (const path of [folder, store.#temporary, store.#blocks]) createFolder(path)
    // A rename by a process that was killed is visible, but may not be durable yet; nor may these.
    for (const shard of await store.#listShards()) await syncFolder(join(store.#blocks, shard))
    for (const path of [store.#blocks, folder, dirname(folder)]) await syncFolder(path)
    store.#small.start(movesFrom(folder, { isNew }))
    return store
  }

  /** Waits until nothing is being written. Nothing can be read afterwards. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#writing.values())
    await this.#small.close()
  }

  override async has(cid: CID, { signal }: Options = {}): Promise<boolean> {
    signal?.throwIfAborted()
    const name = nameOf(cid)
    if (name === undefined) return false
    await this.#writing.get(name)?.catch(() => {})
    return !this.#unsettled.has(name) && (await this.#isIntact(name))
  }

  override async *get(cid: CID, { signal }: Options = {}): AsyncGenerator<Uint8Array> {
    signal?.throwIfAborted()
    yield await this.read(cid)
  }

  /**
   * Returns a block in one piece.
   *
   * @throws MissingBlock, CorruptBlock, and system errors
   */
  async read(cid: CID): Promise<Uint8Array> {
    const name = nameOf(cid)
    if (name === undefined) throw new MissingBlock()
    return this.#read(name)
  }

  override async put(cid: CID, source: Bytes, { signal }: Options = {}): Promise<CID> {
    signal?.throwIfAborted()
    const name = nameOf(cid)
    const bytes = source instanceof Uint8Array ? source : await collect(source)
    // No `await` comes before this line, so every later read of the block waits for the write.
    if (name === undefined || name !== nameOfBytes(bytes)) throw new CorruptBlock()
    await (this.#writing.get(name) ?? this.#begin(name, bytes))
    return cid
  }

  override async delete(cid: CID, { signal }: Options = {}): Promise<void> {
    signal?.throwIfAborted()
    const name = nameOf(cid)
    if (name === undefined) return
    await this.#writing.get(name)?.catch(() => {})
    await this.#delete(this.#pathOf(name))
    await this.#small.delete(name)
  }

  override async *getAll({ signal }: Options = {}): AsyncGenerator<Pair> {
    signal?.throwIfAborted()
    for await (const name of this.#listNames()) {
      signal?.throwIfAborted()
      const cid = CID.createV1(raw.code, multihash.decode(Buffer.from(name, 'hex')))
      yield { cid, bytes: this.get(cid) }
    }
  }

  /** Lists the files first: a block that is moved meanwhile is listed twice, and never left out. */
  async *#listNames(): AsyncGenerator<string> {
    for await (const name of this.#listFiles()) if (!this.#small.has(name)) yield name
    yield* this.#small.names()
  }

  async *#listFiles(): AsyncGenerator<string> {
    for (const shard of await this.#listShards()) yield* await readdir(join(this.#blocks, shard))
  }

  async #listShards(): Promise<readonly string[]> {
    return (await readdir(this.#blocks)).filter((name) => /^[0-9a-f]{2}$/.test(name))
  }

  async #read(name: string): Promise<Uint8Array> {
    const moved = this.#readMoved(name)
    if (moved instanceof Uint8Array) return moved
    const bytes = await readWhole(this.#pathOf(name)).catch((error: unknown) => {
      this.#requireAbsence(error)
      throw moved ?? new MissingBlock()
    })
    if (!name.endsWith(await sha256Of(bytes))) throw new CorruptBlock()
    return bytes
  }

  /** Returns a moved block, or why it cannot be read: it may have been put again since. */
  #readMoved(name: string): Uint8Array | Error | undefined {
    try {
      const bytes = this.#small.read(name)
      return bytes === undefined || nameOfBytes(bytes) === name ? bytes : new CorruptBlock()
    } catch (error) {
      if (error instanceof CorruptBlock || error instanceof UnreachableBlocks) return error
      throw error
    }
  }

  async #isIntact(name: string): Promise<boolean> {
    try {
      await this.#read(name)
      return true
    } catch (error) {
      if (error instanceof MissingBlock || error instanceof CorruptBlock) return false
      throw error
    }
  }

  async #delete(path: string): Promise<void> {
    try {
      await unlink(path)
    } catch (error) {
      return this.#requireAbsence(error)
    }
    await syncFolder(dirname(path))
  }

  /** Rethrows an error unless it says that the block does not exist. */
  #requireAbsence(error: unknown): void {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error
    // A missing folder means an unmounted disk, and says nothing about the block.
    accessSync(this.#blocks)
  }

  #begin(name: string, bytes: Uint8Array): Promise<void> {
    const write = this.#write(name, bytes).finally(() => this.#writing.delete(name))
    this.#writing.set(name, write)
    return write
  }

  async #write(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(name)
    const temporary = join(this.#temporary, randomUUID())
    try {
      await this.#makeShard(dirname(path))
      const isNew = !existsSync(path)
      // A block that is there stays until the other one is durable.
      if (!isNew) await writeSynced(temporary, bytes)
      this.#unsettled.add(name)
      if (isNew) await writeSynced(temporary, bytes, { to: path })
      else {
        renameSync(temporary, path)
        await syncFolder(dirname(path))
      }
      this.#unsettled.delete(name)
      this.#small.written(name, bytes.length)
    } catch (error) {
      this.#shards.delete(dirname(path))
      // If this fails too, the next opening removes the file.
      await unlink(temporary).catch(() => {})
      throw error
    }
  }

  #makeShard(path: string): Promise<void> {
    const known = this.#shards.get(path)
    if (known) return known
    const made = makeFolderDurable(path)
    this.#shards.set(path, made)
    return made
  }

  #pathOf(name: string): string {
    return join(this.#blocks, pathOf(name))
  }
}

async function makeFolderDurable(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if (!isSystemError(error) || error.code !== 'EEXIST') throw error
  })
  await syncFolder(dirname(path))
}

async function collect(source: Exclude<Bytes, Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}
