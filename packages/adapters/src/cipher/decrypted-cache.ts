import {
  type BlobStore,
  type Cipher,
  type Digest,
  type SealContext,
  sameContext,
} from '@heirloom/core'
import { lruCache } from '../platform/lru-cache.ts'

/** Where bundles are kept sealed, and who opens them. */
export type Bundles = { readonly blobStore: BlobStore; readonly cipher: Cipher }

/** The longest bundle that is kept opened, sealed or not, in bytes. */
const longest = 65_536

/**
 * Returns the same parts for a service that opens what it gets: of the bundles opened last, up to
 * 64 KiB each and `most` bytes together, it gets what it got before, and opens none a second time.
 * What it gets is shared by all who ask and must not be changed. With a `most` of 0 nothing is kept.
 *
 * A bundle goes by its digest, which is of its very bytes, so what is kept is never out of date;
 * whether somebody may have it is for the service to say each time. The context is compared each
 * time too: what was opened for one is opened anew for another, which the cipher refuses.
 */
export function openedLately({ blobStore, cipher }: Bundles, most: number): Bundles {
  if (most === 0) return { blobStore, cipher }
  // A memory of lruCache values holds at most twice what it is told.
  const kept = lruCache<Digest, Kept>(most / 2, ({ sealed, opened }) => {
    return sealed.length + opened.document.length
  })
  const known = new WeakMap<Uint8Array, Digest | Cached>()
  return {
    blobStore: {
      ...blobStore,
      get: async (wanted) => {
        const sealed = kept.get(wanted)?.sealed
        if (sealed !== undefined) return sealed
        const bytes = await blobStore.get(wanted)
        if (bytes.length <= longest) known.set(bytes, wanted)
        return bytes
      },
      remove: async (unwanted) => {
        kept.delete(unwanted)
        await blobStore.remove(unwanted)
      },
    },
    cipher: {
      ...cipher,
      open: async (sealed, context) => {
        const of = known.get(sealed)
        if (typeof of === 'object' && sameContext(of.context, context)) return of.opened
        const opened = await cipher.open(sealed, context)
        if (typeof of === 'string' && opened.document.length <= longest) {
          known.set(sealed, { context, opened })
          kept.set(of, { sealed, opened })
        }
        return opened
      },
    },
  }
}

type Opened = Awaited<ReturnType<Cipher['open']>>
type Cached = { readonly context: SealContext; readonly opened: Opened }
type Kept = { readonly sealed: Uint8Array; readonly opened: Opened }
