import { type CatalogueState, readCatalogueState, recordDoubt } from '../projection/advance.ts'
import { Contradiction } from './contradiction.ts'
import type { Indexer, IndexerContext, Standing } from './indexer.ts'

/** The blocks of a catalogue in doubt, as its readings end; all processes that share the store see them. */
export type DoubtLog = {
  /** Ends every doubt after a reading that found none, and returns the blocks that are read. */
  readonly settle: () => Promise<Standing>
  /** Reports why a reading failed. A lone contradiction is ordinary; what lasts leaves a doubt. */
  readonly report: (cause: unknown) => Promise<void>
}

export declare namespace doubtLog {
  type Parts = {
    readonly context: Pick<IndexerContext, 'store' | 'observe'>
    readonly indexer: Pick<Indexer, 'head'>
  }
}

/** The failed readings in a row from which on something is in doubt. */
const shownAfter = 3

/** Returns the record of the doubts of a catalogue. */
export function doubtLog({ context, indexer }: doubtLog.Parts): DoubtLog {
  const { store, observe } = context
  let failures = 0
  const show = async (cause: unknown) => {
    const standing = standingOf(await readCatalogueState(store.db))
    const head = Math.max(indexer.head(), standing.head)
    const doubt = failures < shownAfter ? standing.doubt : doubtIn(cause, { ...standing, head })
    observe({ kind: 'stands', ...standing, head, doubt })
    if (failures < shownAfter || doubt === undefined) return
    await recordDoubt(store, { doubt, head })
    if (standing.doubt === undefined) observe({ kind: 'doubted', ...doubt })
  }
  return {
    settle: async () => {
      const { doubt, ...standing } = standingOf(await readCatalogueState(store.db))
      failures = 0
      if (doubt !== undefined) {
        await recordDoubt(store, { doubt: undefined, head: standing.head })
        observe({ kind: 'resolved' })
      }
      observe({ kind: 'stands', ...standing, doubt: undefined })
      return { ...standing, doubt: undefined }
    },
    report: async (cause) => {
      failures += 1
      const isOrdinary = cause instanceof Contradiction && failures < shownAfter
      if (!isOrdinary) observe({ kind: 'failed', cause })
      // A store that cannot be read says nothing more.
      if (!store.isStoreError(cause)) await show(cause).catch(() => undefined)
    },
  }
}

/** Returns what an error leaves in doubt; nothing where all known blocks are read. */
const doubtIn = (cause: unknown, { upTo, head }: Pick<Standing, 'upTo' | 'head'>) => {
  if (cause instanceof Contradiction) return cause.doubt
  const unread = { from: upTo + 1, to: head, reason: 'The node does not answer for them.' }
  return head > upTo ? unread : undefined
}

/** Decodes the blocks that are read, and those in doubt, from the state of a store. */
export const standingOf = ({ block, head, confirmed, doubt }: CatalogueState): Standing => ({
  upTo: block,
  head,
  confirmed,
  doubt: doubt === null ? undefined : JSON.parse(doubt),
})
