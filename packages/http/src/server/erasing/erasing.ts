import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { StoredErasures } from '@heirloom/adapters/keys'
import { type Digest, erase, type OpenBlobStore } from '@heirloom/core'
import { serialQueue } from '../bounds/turns.ts'

/** Removes what is left of erased memories on this server. */
type Forgetting = {
  /** Removes what is left of all of them; returns whether nothing is left here. */
  readonly sweep: () => Promise<boolean>
  /** Stops after the current step. */
  readonly close: () => Promise<void>
}

export declare namespace forgetting {
  type Parts = {
    readonly erasures: Pick<StoredErasures, 'all' | 'refresh'>
    readonly blobStore: Pick<OpenBlobStore, 'remove' | 'removeParts'>
    readonly catalogue: Pick<SqlCatalogue, 'forgetCards'>
    /** Removes a blob from the caches of this process. */
    readonly forgetCached: (digest: Digest) => void
    /** The time between two looks for what other servers have erased, in milliseconds. */
    readonly interval: number
    readonly onTrouble: (error: unknown) => void
  }
}

/** The digests that are removed at once. */
const batch = 100

/**
 * Starts to remove what is left of erased memories: what another server has erased, what a crash or a
 * storage that did not answer has left, and what a backup has brought back.
 */
export function forgetting(parts: forgetting.Parts): Forgetting {
  const { erasures, interval, onTrouble } = parts
  const enqueue = serialQueue()
  const done = new Set<Digest>()
  let isClosed = false
  const sweep = () =>
    enqueue(async () => {
      const left = erasures.all().filter((digest) => !done.has(digest))
      for (let at = 0; at < left.length && !isClosed; at += batch) {
        const some = left.slice(at, at + batch)
        await forget(parts, some)
        for (const digest of some) done.add(digest)
      }
      return !isClosed
    }).catch((error: unknown) => {
      onTrouble(error)
      return false
    })
  const look = async () => {
    await erasures.refresh()
    await sweep()
  }
  const timer = setInterval(() => void look().catch(onTrouble), interval).unref()
  void sweep()
  return {
    sweep,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await enqueue(async () => undefined)
    },
  }
}

async function forget(
  { blobStore, catalogue, forgetCached }: forgetting.Parts,
  digests: readonly Digest[],
): Promise<void> {
  for (const digest of digests) forgetCached(digest)
  await removeAll(blobStore, digests)
  await removeAll(blobStore, await catalogue.forgetCards(digests))
}

async function removeAll(
  { remove, removeParts }: Pick<OpenBlobStore, 'remove' | 'removeParts'>,
  digests: readonly Digest[],
): Promise<void> {
  if (removeParts !== undefined) await removeParts(digests)
  else for (const digest of digests) await remove(digest)
}

/** Erases memories for their owners. @throws the failures of `erase` */
export type Erasing = (input: erase.Input) => Promise<erase.Output>

export declare namespace erasing {
  type Parts = Omit<erase.Parts, 'erasures' | 'forget'> & {
    readonly erasures: Pick<StoredErasures, 'add' | 'find' | 'refresh'>
    readonly forgetting: Pick<Forgetting, 'sweep'>
  }
}

/** Returns the erasing of a server, one memory after the other. */
export function erasing({ forgetting: { sweep }, ...parts }: erasing.Parts): Erasing {
  const enqueue = serialQueue()
  return (input) =>
    enqueue(async () => {
      // Another server may have erased it.
      await parts.erasures.refresh()
      return erase({ ...parts, forget: sweep }, input)
    })
}
