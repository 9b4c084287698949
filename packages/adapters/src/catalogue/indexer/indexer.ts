import { readBatch } from './batch.ts'
import { type ChainReader, Moved } from './chain-reader.ts'
import type { Totals } from '../projection/earnings.ts'
import { type Ranges, ranges } from './range-size.ts'
import type { Store } from '../catalogue-store.ts'
import { advance, Overtaken, type Standing, standing } from '../projection/advance.ts'

/** What a follower told of itself. */
export type CatalogueEvent =
  | { readonly kind: 'read'; readonly upTo: number; readonly head: number; readonly events: number }
  | { readonly kind: 'reorganised'; readonly from: number }
  | { readonly kind: 'rebuilt'; readonly cause: unknown }
  | { readonly kind: 'failed'; readonly cause: unknown }

export type Course = {
  readonly store: Store
  readonly reader: ChainReader
  /** How many blocks, its own counted, a block needs before it is read. */
  readonly confirmations: number
  /** How many of the newest blocks could be taken back. */
  readonly reorgDepth: number
  /** The first block that can hold an event. */
  readonly firstBlock: number
  readonly observe: (event: CatalogueEvent) => void
}

/** Brings a catalogue closer to the head of its chain. */
export type Follower = {
  /** Reads on by one batch; tells whether there is more to read. */
  readonly step: () => Promise<boolean>
}

/** Returns what follows a chain into a store. */
export function follower(course: Course): Follower {
  const sizes = ranges()
  const memory: Memory = { totals: new Map(), version: undefined }
  return {
    step: async () => {
      try {
        return await step(course, sizes, memory)
      } catch (error) {
        memory.totals.clear()
        if (error instanceof Moved || error instanceof Overtaken) return true
        throw error
      }
    },
  }
}

/** What is remembered of what was written, and of which version of the store that is true. */
type Memory = { readonly totals: Totals; version: number | undefined }

async function step(course: Course, sizes: Ranges, memory: Memory): Promise<boolean> {
  const { store, reader, confirmations, reorgDepth, firstBlock, observe } = course
  const from = await standing(store.db)
  // Another process may have written meanwhile, or the store was made again.
  if (from.version !== memory.version) memory.totals.clear()
  const head = (await reader.head()) - (confirmations - 1)
  const ground = await commonGround(course, from, head)
  const undo = ground < from.block ? ground + 1 : undefined
  const after = Math.max(ground, firstBlock - 1)
  if (after >= head && undo === undefined) return false
  const afterHash = await hashOf(store, ground)
  const span = { after, afterHash: after === ground ? afterHash : undefined, head, reorgDepth }
  const batch =
    after < head ? await readBatch(reader, sizes, span) : { logs: [], blocks: [], upTo: after }
  await advance(store, memory.totals, { batch, from, head, undo, settled: head - reorgDepth })
  memory.version = from.version + 1
  if (undo !== undefined) observe({ kind: 'reorganised', from: undo })
  observe({ kind: 'read', upTo: batch.upTo, head, events: batch.logs.length })
  return batch.upTo < head
}

async function hashOf({ db }: Store, number: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('block')
    .select('hash')
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.hash
}

/** Returns the last block that the catalogue and the chain agree on. */
async function commonGround(course: Course, from: Standing, head: number): Promise<number> {
  const { store, reader, reorgDepth } = course
  if (reorgDepth === 0) return from.block
  const known = await store.db.selectFrom('block').selectAll().orderBy('number', 'desc').execute()
  // A node that lags behind the others has taken nothing back.
  const shared = known.filter(({ number }) => number <= head)
  for (const [index, { number, hash }] of shared.entries()) {
    if ((await reader.block(number))?.hash !== hash) continue
    return index === 0 ? from.block : number
  }
  return shared.length === 0 ? from.block : -1
}
