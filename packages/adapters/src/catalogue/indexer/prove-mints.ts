import type { CatalogueStore } from '../catalogue-store.ts'
import { numberIn } from '../projection/decode-log.ts'
import type { Batch } from './batch.ts'
import type { ChainReader } from './chain-reader.ts'
import { Contradiction } from './contradiction.ts'

export declare namespace proveMints {
  type Input = {
    readonly batch: Batch
    /** The first block that the batch replaces. */
    readonly undoFrom: number | undefined
    /** Whether the node still knows how many tokens there were at the end of the batch. */
    readonly isRecent: boolean
  }
}

type Known = { readonly store: CatalogueStore; readonly reader: ChainReader }

/**
 * Requires that the tokens that a batch mints follow each other and those of the catalogue, and that
 * they are as many as the contract counts at the end of a recent batch whose headers prove less.
 *
 * @throws `Contradiction` with the block from which a mint may be missing
 */
export async function proveMints(
  { store, reader }: Known,
  { batch, undoFrom, isRecent }: proveMints.Input,
): Promise<void> {
  const newest = await newestToken(store, undoFrom)
  const gap = (to: number, reason: string) =>
    new Contradiction({ from: newest.block, to, reason }, newest.block)
  let last = newest.id
  for (const { id, block } of mintsIn(batch)) {
    if (id !== last + 1) throw gap(block, `Token ${id} was shown after token ${last}.`)
    last = id
  }
  const supply = batch.isWhole || !isRecent ? undefined : await reader.supply(batch.upTo)
  if (supply === undefined || supply === last) return
  throw gap(batch.upTo, `There are ${supply} tokens, and the events show ${last}.`)
}

/** The blocks before an event that may have been read with the same wrong time. */
const suspects = 64

/**
 * Requires that no event of a batch is older than the one before it, in the batch or the catalogue: the
 * time of a block is never before that of its parent, unless the nodes show both blocks so, as after the
 * clock of a test chain was set back.
 *
 * @throws `Contradiction` with the block from which the times may be wrong
 */
export async function proveTimes(
  { store: { db }, reader }: Known,
  { batch, undoFrom }: Pick<proveMints.Input, 'batch' | 'undoFrom'>,
): Promise<void> {
  const [first] = batch.logs
  if (first === undefined) return
  const known = db.selectFrom('event').where('block', '<', undoFrom ?? first.block)
  const newest = known.select(['block', 'at']).orderBy('block', 'desc').limit(1)
  let last = (await newest.executeTakeFirst()) ?? { block: 0, at: 0 }
  for (const { block, at } of batch.logs) {
    if (at < last.at && !(await haveTimes(reader, [last, { block, at }]))) {
      const reason = `Block ${block} was shown with a time before that of block ${last.block}.`
      const since = Math.min(last.block, Math.max(0, first.block - suspects))
      throw new Contradiction({ from: block, to: block, reason }, since)
    }
    last = { block, at }
  }
}

type Times = readonly Pick<Batch['logs'][number], 'block' | 'at'>[]

/** Returns whether blocks have some times, as a node and another one show them now. */
async function haveTimes(reader: ChainReader, times: Times): Promise<boolean> {
  const agree = [reader, reader.elsewhere].flatMap((node) =>
    times.map(async ({ block, at }) => (await node.block(block))?.at === at),
  )
  return (await Promise.all(agree)).every(Boolean)
}

const mintsIn = ({ logs }: Batch) =>
  logs
    .filter(({ name }) => name === 'Minted')
    .map(({ words, block }) => ({ id: numberIn(words, 'tokenId'), block }))

async function newestToken({ db }: CatalogueStore, undoFrom: number | undefined) {
  let query = db.selectFrom('token').select(['id', 'block'])
  if (undoFrom !== undefined) query = query.where('block', '<', undoFrom)
  const token = await query.orderBy('id', 'desc').limit(1).executeTakeFirst()
  return token ?? { id: 0, block: 0 }
}
