import type { CatalogueStore } from '../catalogue-store.ts'
import type { ChainReader } from './chain-reader.ts'

/** The block of an event. */
type EventBlock = { readonly block: number; readonly blockHash: string }

/** Returns the block of the newest event in a range of blocks. */
export async function eventIn(
  db: CatalogueStore['db'],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<EventBlock | undefined> {
  return db
    .selectFrom('event')
    .select(['block', 'blockHash'])
    .where('block', '>=', first)
    .where('block', '<=', last)
    .orderBy('block', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Returns the block of the newest event that a chain still holds, up to a block; -1 if it holds none.
 * The hash of a block commits to all before it, so the events are halved with one block for each step.
 */
export async function newestCommonEvent(
  {
    store,
    reader,
  }: { readonly store: CatalogueStore; readonly reader: Pick<ChainReader, 'block'> },
  upTo: number,
): Promise<number> {
  let common = -1
  let last = upTo
  while (last > common) {
    const middle = Math.ceil((common + 1 + last) / 2)
    const older = await eventIn(store.db, { first: common + 1, last: middle })
    const event = older ?? (await eventIn(store.db, { first: middle + 1, last }))
    if (event === undefined) return common
    if ((await reader.block(event.block))?.hash === event.blockHash) common = event.block
    else last = event.block - 1
  }
  return common
}
