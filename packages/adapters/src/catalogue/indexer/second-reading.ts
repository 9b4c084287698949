import type { CatalogueStore } from '../catalogue-store.ts'
import { ConcurrentWrite, readCatalogueState } from '../projection/advance.ts'
import { decodeLog } from '../projection/decode-log.ts'
import { earningsOf } from '../projection/earnings.ts'
import { encodeColumns } from '../projection/stored-event.ts'
import { selectEvents } from '../queries/select-tokens.ts'
import { hexOf } from '../table.ts'
import { readBlocks, requireLine } from './batch.ts'
import {
  type ChainReader,
  mapConcurrently,
  requireBlock,
  type TimedLog,
  withTimeOf,
} from './chain-reader.ts'
import { eventIn } from './common-block.ts'
import { contradictionAt } from './contradiction.ts'
import { canProve, proveEvents } from './prove-events.ts'

/** The blocks that are read a second time at once: with their headers, and where these say nothing. */
const [blocksWithHeaders, blocksWithout] = [16, 512]

/** The new final blocks for which a second reading without headers waits. */
const leastWithout = 64

type Context = {
  readonly store: CatalogueStore
  readonly reader: ChainReader
  readonly reorgDepth: number
}

/** The end of a second reading: more blocks that wait, and the first one with other events than before. */
export type SecondReading = { readonly hasMore: boolean; readonly differsFrom?: number | undefined }

/**
 * Reads the next blocks a second time whose headers did not prove at the first reading that nothing is
 * missing, and compares their events with the catalogue.
 *
 * @throws `Contradiction`
 */
export async function readAgain(context: Context, firstBlock: number): Promise<SecondReading> {
  const { store, reader, reorgDepth } = context
  const state = await readCatalogueState(store.db)
  const from = Math.max(state.confirmed + 1, firstBlock)
  if (from > state.block) return { hasMore: false }
  const last = Math.min(state.block, from + blocksWithHeaders - 1)
  const proven = await proveRange(context, { from, to: last }, state.block)
  const final = Math.min(state.block, state.head - reorgDepth)
  if (proven === undefined && final - from + 1 < leastWithout) return { hasMore: false }
  const to = proven === undefined ? Math.min(final, from + blocksWithout - 1) : last
  const range = { from, to }
  const events = proven ?? (await logsOfBlocks(reader, range))
  const differsFrom = await firstDifference(store, range, events)
  if (differsFrom !== undefined && proven === undefined) {
    await requireMore(context, differsFrom, events)
  }
  if (differsFrom === undefined) await setConfirmed(store, state.version, range.to)
  return { hasMore: range.to < state.block, differsFrom }
}

type Range = { readonly from: number; readonly to: number }

/** Returns the events of a range, which must be those of its blocks. */
async function logsOfBlocks(reader: ChainReader, range: Range): Promise<readonly TimedLog[]> {
  const logs = await reader.logs(range)
  const byBlock = Map.groupBy(logs, ({ blockNumber }) => Number(blockNumber))
  const timed = await mapConcurrently([...byBlock], async ([number, own]) =>
    withTimeOf(await requireBlock(reader, number), own),
  )
  return timed.flat()
}

/** Returns the events of a range as the headers prove them; `undefined` where these say nothing. */
async function proveRange(
  context: Context,
  range: Range,
  newest: number,
): Promise<readonly TimedLog[] | undefined> {
  const { reader } = context
  const event = await eventIn(context.store.db, { first: range.to + 1, last: newest })
  // Until a block with events was seen, an empty filter may be that of a chain which fills none.
  if (event !== undefined) await requireBlock(reader, event.block)
  if (!canProve(await requireBlock(reader, range.to))) return undefined
  const blocks = await readBlocks(reader, range)
  requireLine(blocks, undefined)
  const logs = await reader.logs(range)
  const byBlock = Map.groupBy(logs, ({ blockNumber }) => Number(blockNumber))
  const proven: TimedLog[] = []
  for (const block of blocks) {
    const own = byBlock.get(block.number) ?? []
    const { logs: all, isWhole } = await proveEvents(reader, block, own)
    if (!isWhole) return undefined
    proven.push(...withTimeOf(block, all))
  }
  return proven
}

/**
 * Requires that a second reading that no header proves has an event that the catalogue lacks or knows
 * of another time, or that the block of its event was replaced: what a node leaves out is no reason to forget it.
 */
async function requireMore(
  { store, reader }: Context,
  number: number,
  logs: readonly TimedLog[],
): Promise<void> {
  const known = await eventsIn(store, { from: number, to: number })
  const shown = rowsOf(logs.filter(({ block }) => block === number))
  const isNews = ([key, { at }]: readonly [string, Row]) =>
    !known.has(key) || known.get(key)?.at !== at
  if ([...shown].some(isNews)) return
  const { blockHash } = [...known.values()][0] ?? {}
  if ((await requireBlock(reader, number)).hash !== blockHash) return
  throw contradictionAt(
    number,
    `The node left out events of block ${number} that it showed before.`,
  )
}

/** Returns the first block of a range whose events differ from those of the catalogue. */
async function firstDifference(
  store: CatalogueStore,
  range: Range,
  logs: readonly TimedLog[],
): Promise<number | undefined> {
  const known = await eventsIn(store, range)
  const shown = rowsOf(logs)
  const differs = [...new Set([...known.keys(), ...shown.keys()])].filter(
    (key) => !isSame(known.get(key), shown.get(key)),
  )
  return differs.length === 0
    ? undefined
    : Math.min(...differs.map((key) => Number.parseInt(key, 10)))
}

/** A row that an event left, by the block and the index of the event. */
type Row = { readonly blockHash?: string; readonly content?: string; readonly at?: number }
type Rows = ReadonlyMap<string, Row>

// An event that only changes what an account earned leaves no more than its place.
const isSame = (known: Row | undefined, shown: Row | undefined): boolean =>
  known !== undefined &&
  shown !== undefined &&
  (known.content === undefined ||
    (known.content === shown.content &&
      known.blockHash === shown.blockHash &&
      known.at === shown.at))

async function eventsIn({ db }: CatalogueStore, { from, to }: Range): Promise<Rows> {
  const [events, earnings] = await Promise.all([
    selectEvents(db).where('event.block', '>=', from).where('event.block', '<=', to).execute(),
    db
      .selectFrom('income')
      .select(['block', 'logIndex'])
      .where('block', '>=', from)
      .where('block', '<=', to)
      .execute(),
  ])
  const rows = new Map<string, Row>(earnings.map((it) => [`${it.block} ${it.logIndex}`, {}]))
  for (const { block, logIndex, blockHash, at, kind, said } of events) {
    const content = `${kind} ${hexOf(said)}`
    rows.set(`${block} ${logIndex}`, { blockHash: hexOf(blockHash), content, at })
  }
  return rows
}

/** Returns the rows that events leave. */
function rowsOf(logs: readonly TimedLog[]): Rows {
  const rows = new Map<string, Row>()
  for (const log of logs) {
    const { block, logIndex, blockHash, at } = log
    const key = `${block} ${logIndex}`
    const decoded = decodeLog(log.name, log.words)
    if (decoded !== undefined) {
      const { kind, said } = encodeColumns(decoded.event)
      rows.set(key, { blockHash, content: `${kind} ${hexOf(said)}`, at })
    } else if (earningsOf(new Map(), log).length > 0) {
      rows.set(key, { blockHash })
    }
  }
  return rows
}

async function setConfirmed({ db }: CatalogueStore, version: number, confirmed: number) {
  const { numUpdatedRows } = await db
    .updateTable('meta')
    .set({ confirmed })
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new ConcurrentWrite('Another process indexes the chain.')
}
