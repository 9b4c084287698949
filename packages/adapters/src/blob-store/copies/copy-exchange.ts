import { statfs } from 'node:fs/promises'
import type { CopyCount, PeerStorage } from '@heirloom/core'
import type { CID } from 'multiformats/cid'
import { signal } from '../../platform/signal.ts'
import type { DurableBlockstore } from '../durable-blockstore.ts'
import type { Network } from '../network.ts'
import { type Copies, copiesOn } from './copies.ts'
import { type CopyLog, openCopyLog } from './copy-log.ts'
import { countRefusals, type Refusals } from './copy-messages.ts'
import type { CopyHolder } from './serve-copies.ts'

/** The copies of a store that is open. */
export type CopyExchange = Pick<Copies, 'replicate'> & {
  /** Removes a copy from the other nodes, without a wait. */
  takeBack(cid: CID): void
  /** Returns the result of the last count; `undefined` before the first one has ended. */
  state(): CopyCount | undefined
  /** Returns what the peers have stored here. */
  ofPeers(): PeerStorage
  close(): Promise<void>
}

export declare namespace openCopies {
  type Input = {
    readonly blocks: DurableBlockstore
    readonly folder: string
    readonly network: Pick<Network, 'exchangeCopies' | 'onConnect' | 'peers'>
    readonly settings: Network.CopySettings
    readonly restore: (cid: CID) => Promise<Uint8Array>
    /** Returns whether a block is of an erased memory; then no copy of it is stored here. */
    readonly isErased: CopyHolder['isErased']
  }
}

/** Starts the exchange of copies with the peers, and counts them again and again. */
export async function openCopies(input: openCopies.Input): Promise<CopyExchange> {
  const { blocks, folder, network, settings, restore } = input
  const log = openCopyLog(folder)
  try {
    const limit = settings.bytesPerPeer ?? (await equalPart(folder, network.peers))
    const refusals = countRefusals(settings.onRefusal)
    const hasRoom = roomForCopies(folder)
    const holder = { blocks, log, hasRoom, limit, refusals, isErased: input.isErased }
    const peers = await network.exchangeCopies(holder)
    const copies = copiesOn({ blocks, peers, restore, copies: settings.count })
    const counting = countAgainAndAgain(copies, settings.auditEvery)
    // A node that returns may have lost its disk.
    network.onConnect(counting.wake)
    const takingBack = new Map<string, Promise<void>>()
    return {
      replicate: async (cids) => {
        // A block that is put again must not lose the copies that are made now.
        await Promise.all(cids.map((cid) => takingBack.get(keyOf(cid))))
        // Nor may another node take back what this one stores itself.
        for (const cid of cids) log.keepFromOthers(keyOf(cid), thisNode)
        await copies.replicate(cids)
      },
      takeBack: (cid) => {
        const key = keyOf(cid)
        const act = copies.takeBack([cid]).finally(() => {
          if (takingBack.get(key) === act) takingBack.delete(key)
        })
        takingBack.set(key, act)
      },
      state: counting.state,
      ofPeers: () => storageOf(limit, log, refusals),
      close: async () => {
        await counting.close()
        await Promise.all(takingBack.values())
        log.close()
      },
    }
  } catch (error) {
    log.close()
    throw error
  }
}

function storageOf(limit: number, log: CopyLog, refusals: Refusals): PeerStorage {
  const [bytes, refused] = [log.bytes(), refusals.counts()]
  const ids = [...new Set([...bytes.keys(), ...refused.keys()])]
  const peers = ids.map((peer) => ({
    peer,
    bytes: bytes.get(peer) ?? 0,
    refused: refused.get(peer) ?? 0,
  }))
  return { limit, peers }
}

/** The place of a peer id in the notes that stands for no peer. */
const thisNode = ''

const keyOf = ({ multihash }: CID): string => Buffer.from(multihash.digest).toString('hex')

const usualInterval = 60_000

/** Counts cost reading every block, so they may take this part of the time at most. */
const largestShare = 0.1

function countAgainAndAgain({ audit }: Pick<Copies, 'audit'>, interval = usualInterval) {
  const stop = new AbortController()
  const [rest, pause] = [signal(), signal()]
  let state: CopyCount | undefined
  const count = async () => {
    while (!stop.signal.aborted) {
      const start = performance.now()
      // A disk that fails during a count fails in requests, too, which report it.
      state = await audit(stop.signal).catch(() => state)
      const took = performance.now() - start
      await rest.wait({ milliseconds: took / largestShare, stop: stop.signal })
      await pause.wait({ milliseconds: interval, stop: stop.signal })
    }
  }
  const running = count()
  return {
    state: () => state,
    wake: pause.notify,
    close: async () => {
      stop.abort()
      await running
    },
  }
}

/** The part of a disk that copies of other nodes leave free: one in so many. */
const freePart = 10

/** Returns a function that reports whether the disk of a folder has room for copies of peers. */
export const roomForCopies =
  (folder: string) =>
  async (bytes: number): Promise<boolean> => {
    const { bavail, blocks, bsize } = await statfs(folder)
    return bavail * bsize - bytes >= (blocks * bsize) / freePart
  }

/** Returns an equal part, for each of so many peers, of what copies may take of a disk, in bytes. */
async function equalPart(folder: string, peers: number): Promise<number> {
  const { blocks, bsize } = await statfs(folder)
  return Math.floor((blocks * bsize * (1 - 1 / freePart)) / Math.max(peers, 1))
}
