import { packNotes } from '@heirloom/adapters/internal/pack-notes'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  type Account,
  account,
  type BlobStorage,
  type Cipher,
  type Digest,
  Failure,
  isFailure,
  type OpenBlobStore,
} from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import { collectPacks } from '../../../packages/http/src/server/packs/collect-packs.ts'
import { adoptPacks } from '../../../packages/http/src/server/packs/open-packs.ts'
import { packKeeper } from '../../../packages/http/src/server/packs/pack-keeper.ts'
import { packCipher } from './pack-cipher.ts'

/** The parts that servers share: a chain, its jobs and seals, and the time of the job store. */
export type PackWorld = {
  /** Milliseconds since 1970. */
  now: number
  isChainDown: boolean
  /** Draws where packs of several blocks are cut; at random when absent. */
  drawCut?: () => number
  /** Runs while a sweep reads the chain. */
  whileReading?: (() => Promise<void>) | undefined
  /** Runs between the put of a pack and its note. */
  afterPut?: (() => Promise<void>) | undefined
  /** The roots that tokens name. */
  readonly minted: Set<Digest>
  /** The roots whose mint is not decided. */
  readonly pending: Set<Digest>
  /** The minted roots that were erased: their tokens stay. */
  readonly erased: Set<Digest>
  /** Every pack that was ever put. */
  readonly packs: Set<Digest>
}

export const creator: Account = account(wallets[0].address)
const registry = { chainId: 31_337, address: account(wallets[1].address) }

const contextOf = (by: Account) => ({ registry, creator: by })

/** Returns a world without tokens. */
export const packWorld = (): PackWorld => ({
  now: 1_800_000_000_000,
  isChainDown: false,
  minted: new Set(),
  pending: new Set(),
  erased: new Set(),
  packs: new Set(),
})

/** The points in a save at which a process can be killed. */
export const points = ['pack put', 'pack noted', 'pack claimed', 'root put', 'root noted'] as const
export type Point = (typeof points)[number]

class Killed extends Error {}

/** A server that saves versions and sweeps packs. */
export type PackServer = {
  /**
   * Seals and stores a version, and returns its root, whose mint is pending; `undefined` for a process
   * that was killed at a point of the save, and started again.
   */
  save(version: Version): Promise<Digest | undefined>
  /** Sweeps the packs; throws while the chain is down. */
  sweep(): Promise<collectPacks.Parts['owners']>
  /** Removes a root that never gets a token. */
  remove(root: Digest): Promise<void>
  /** Opens a version: reads it and all its packs. */
  open(root: Digest): Promise<void>
  packs(root: Digest): Promise<readonly Digest[]>
  /** Opens the document of a version with the cipher. */
  read(root: Digest): Promise<string>
  /** Notes the packs of a root, as a start does. */
  adopt(root: Digest): Promise<void>
  /** Returns which of these blobs are stored. */
  stored(digests: Iterable<Digest>): Promise<ReadonlySet<Digest>>
  /** Ends the process without a warning, and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type Version = {
  readonly text: string
  readonly previous?: Digest | undefined
  readonly killedAt?: Point | undefined
  /** The account that may mint it; the creator of all others when absent. */
  readonly creator?: Account
}

/** A cipher whose bundles name packs. */
type PackCipher = Pick<Cipher, 'seal' | 'inspect'> & Partial<Pick<Cipher, 'open'>>

/** Starts a server over a storage and a job store. */
export async function packServer(
  world: PackWorld,
  storage: BlobStorage,
  jobs: JobStore,
  cipher: PackCipher = packCipher(),
): Promise<PackServer> {
  const notes = await packNotes({ ...jobs, now: () => world.now }, registry)
  const start = async () => {
    const blobStore = await storage.open()
    const isMintable = (it: Digest) => world.pending.has(it) || world.minted.has(it)
    await blobStore.sweep(async (it) => isMintable(it) || (await notes.has(it)))
    const here = new Set<Digest>()
    return { blobStore, here, removed: new Map<Digest, number>() }
  }
  let running = await start()
  const restart = async () => {
    await running.blobStore.close()
    running = await start()
  }
  const packs = async (root: Digest) => cipher.inspect(await running.blobStore.head(root)).packs
  return {
    packs,
    save: async ({ killedAt, ...version }) => {
      const kill = (point: Point) => {
        if (point === killedAt) throw new Killed()
      }
      const save = { ...running, notes, cipher, world, kill }
      try {
        return await saveVersion(save, version)
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        await restart()
        return undefined
      }
    },
    sweep: async () => {
      const { unsure } = await collectPacks(
        {
          ...running,
          notes,
          inspect: cipher.inspect,
          owners: [creator],
          mintedBy: async () => {
            if (world.isChainDown) throw new Failure('ledger/unavailable', { operation: 'read' })
            const minted = new Set(world.minted)
            await world.whileReading?.()
            return minted
          },
          isNeeded: async (root) => world.pending.has(root),
          isErased: (root) => world.erased.has(root),
        },
        new AbortController().signal,
      )
      return unsure
    },
    read: async (root) => {
      const { blobStore } = running
      const opened = await cipher.open?.(await blobStore.get(root), contextOf(creator), blobStore)
      return Buffer.from(opened?.document ?? []).toString()
    },
    adopt: async (root) => {
      const head = await running.blobStore.local.head(root)
      await adoptPacks({ notes, inspect: cipher.inspect, registry }, root, head)
    },
    remove: (root) => running.blobStore.remove(root),
    open: async (root) => {
      for (const pack of await packs(root)) await running.blobStore.get(pack)
    },
    stored: async (digests) => {
      const found = new Set<Digest>()
      for (const it of digests) if (await isStored(running.blobStore.local, it)) found.add(it)
      return found
    },
    restart,
    close: () => running.blobStore.close(),
  }
}

type Save = Pick<packKeeper.Parts, 'here'> & {
  readonly blobStore: OpenBlobStore
  readonly notes: Awaited<ReturnType<typeof packNotes>>
  readonly cipher: PackCipher
  readonly world: PackWorld
  readonly kill: (point: Point) => void
}

async function saveVersion(
  { blobStore: inner, notes, cipher, world, kill, here }: Save,
  { text, previous, creator: by = creator }: Version,
): Promise<Digest> {
  const { inspect } = cipher
  const blobStore = {
    ...inner,
    put: async (bytes: Uint8Array, headLength?: number) => {
      const digest = await inner.put(bytes, headLength)
      world.packs.add(digest)
      await world.afterPut?.()
      kill('pack put')
      return digest
    },
    claim: async (digest: Digest) => {
      await inner.claim(digest)
      kill('pack claimed')
    },
  }
  const observed: packKeeper.Parts['notes'] = {
    ...notes,
    store: async (...pack) => {
      const state = await notes.store(...pack)
      kill('pack noted')
      return state
    },
  }
  const onTrouble = (error: unknown) => {
    throw error
  }
  const keeper = packKeeper({
    notes: observed,
    blobStore,
    inspect,
    here,
    ...(world.drawCut && { drawCut: world.drawCut }),
    onTrouble,
    packsOf: (head) => inspect(head).packs,
  })
  const line = { name: 'ada', previous }
  const seal = keeper.seal({ ...cipher } as never)
  const sealed = await seal(Buffer.from(text), contextOf(by), { blobs: blobStore, line })
  const putRoot: typeof inner.put = async (...root) => {
    const digest = await inner.put(...root)
    kill('root put')
    return digest
  }
  const roots = keeper.store({ ...inner, put: putRoot })
  const root = await roots.put(sealed.sealed, sealed.headLength)
  kill('root noted')
  world.pending.add(root)
  return root
}

async function isStored(
  local: Pick<Awaited<ReturnType<BlobStorage['open']>>, 'get'>,
  digest: Digest,
): Promise<boolean> {
  try {
    await local.get(digest)
    return true
  } catch (error) {
    if (!isFailure(error, 'blob/not-found')) throw error
    return false
  }
}
