import {
  day,
  type OpeningsOf,
  openingWithin,
  type RecordedOpening,
  type Right,
} from '@heirloom/core'
import { rejectAfter } from '../platform/reject-after.ts'
import { CommitUncertain } from './store.ts'

/** Equal openings that wait for the store. */
export type WaitingRow = {
  tokenId: string
  /** In lower case. */
  owner: string
  /** The start of the stretch, in milliseconds since 1970. */
  at: number
  /** The words that equal openings have in common. */
  what: string
  /** The time of the block at which the right was read last, in milliseconds since 1970. */
  asOf: number | null
  count: number
}

/** The most different openings that wait for the store; what comes then is lost. */
const mostWaiting = 5000

/** The longest time that openings wait to be written together, in milliseconds. */
const pause = 1000

const keyOf = ({ tokenId: id, owner, at, what }: WaitingRow) => `${id} ${owner} ${at} ${what}`

export declare namespace groupedWrites {
  type Options = {
    /** Returns the row of an opening. */
    readonly rowOf: (opening: RecordedOpening) => WaitingRow
    readonly write: (rows: readonly WaitingRow[]) => Promise<void>
  }
}

/**
 * Collects openings, equal ones as one row, and writes them together. To record one takes no wait; what
 * waits for the store is bounded, and what finds no room is counted. A group that was not written is
 * written with the next one, unless it may be there already.
 */
export function groupedWrites({ rowOf, write }: groupedWrites.Options) {
  const waiting = waitingRows(rowOf)
  let writing: Promise<void> | undefined
  let beingWritten: readonly WaitingRow[] = []
  let timer: NodeJS.Timeout | undefined
  const startSoon = () => {
    timer ??= setTimeout(start, pause).unref()
  }
  const record = (opening: RecordedOpening) => {
    waiting.record(opening)
    startSoon()
  }
  const giveBack = (rows: readonly WaitingRow[], error: unknown) => {
    const keep = error instanceof CommitUncertain ? waiting.lose : waiting.add
    for (const row of rows) keep(row)
  }
  const writeGroup = async () => {
    const rows = waiting.take()
    beingWritten = rows
    if (rows.length > 0) await write(rows).catch((error: unknown) => giveBack(rows, error))
  }
  const end = () => {
    writing = undefined
    beingWritten = []
    if (waiting.size() > 0) startSoon()
  }
  const start = () => {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeGroup().finally(end)
    return writing
  }
  const has = ({ tokenId: id, owner }: OpeningsOf): boolean => {
    const isMeant = (it: WaitingRow) => it.tokenId === `${id}` && it.owner === owner.toLowerCase()
    return waiting.some(isMeant) || beingWritten.some(isMeant)
  }
  /** Writes what was added before. */
  const settle = async () => {
    if (writing !== undefined) await writing
    await start()
  }
  /** Writes what waits, if that is done soon. */
  const close = async () => {
    const late = () => new Error('The store does not answer.')
    await rejectAfter(pause, settle(), late).catch(() => undefined)
    clearTimeout(timer)
  }
  return { record, has, settle, close, lost: waiting.lost }
}

/**
 * Holds the rows that wait. An opening like the last one of its reader costs a look, and no row: a
 * reader who opens the same memory many times in a second is the common one.
 */
function waitingRows(rowOf: groupedWrites.Options['rowOf']) {
  let rows = new Map<string, WaitingRow>()
  /** The last opening of each reader of a memory whose row waits. */
  let latest = new Map<string, { readonly opening: RecordedOpening; readonly row: WaitingRow }>()
  let lost = 0
  const lose = ({ count }: WaitingRow) => {
    lost += count
  }
  /** Returns the row that waits with what was added, if there is room. */
  const add = (row: WaitingRow): WaitingRow | undefined => {
    const key = keyOf(row)
    const known = rows.get(key)
    if (known !== undefined) return addTo(known, row)
    if (rows.size >= mostWaiting) return void lose(row)
    rows.set(key, row)
    return row
  }
  const record = (opening: RecordedOpening) => {
    const reader = readerKey(opening)
    const last = latest.get(reader)
    if (last !== undefined && isAlike(last.opening, opening)) return void addTo(last.row, opening)
    const row = add(rowOf(opening))
    if (row !== undefined) latest.set(reader, { opening, row })
  }
  const take = () => {
    const taken = inOrder(rows)
    rows = new Map()
    latest = new Map()
    return taken
  }
  const some = (isMeant: (row: WaitingRow) => boolean) => [...rows.values()].some(isMeant)
  return { add, lose, record, some, take, size: () => rows.size, lost: () => lost }
}

const readerKey = ({ tokenId: id, account, scope }: RecordedOpening) => `${id} ${account} ${scope}`

type Added = Pick<RecordedOpening, 'count'> & { readonly asOf?: number | null | undefined }

function addTo(row: WaitingRow, { count, asOf }: Added): WaitingRow {
  row.count += count
  row.asOf = asOf ?? null
  return row
}

/** Returns whether openings by one reader have one row. */
const isAlike = (one: RecordedOpening, other: RecordedOpening): boolean =>
  one.at === other.at &&
  one.digest === other.digest &&
  one.owner === other.owner &&
  one.seconds === other.seconds &&
  isSameRight(one.right, other.right)

const isSameRight = (one: Right, other: Right): boolean =>
  one.kind === 'grant'
    ? other.kind === 'grant' && one.grant === other.grant && one.label === other.label
    : one.kind === other.kind

/** Returns rows in one order, so that servers of one database do not wait for each other in a circle. */
const inOrder = (rows: ReadonlyMap<string, WaitingRow>): readonly WaitingRow[] =>
  [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)

/** The rows of one reader on one day that are a second long, and the most readers that are counted. */
const [mostSeconds, mostReaders] = [1000, 10_000]

const hour = 3600

/**
 * Returns a function that gives an opening a stretch of an hour where its reader had very many on its
 * day: each is counted, and the table has a bound.
 */
export function longerStretches(): (opening: RecordedOpening) => RecordedOpening {
  let today = -1
  const readers = new Map<string, { rows: number; last: number }>()
  const takesRow = (key: string, at: number): boolean => {
    const { rows, last } = readers.get(key) ?? { rows: 0, last: -1 }
    if (last === at) return true
    const isBeyond = rows === 0 ? readers.size >= mostReaders : rows >= mostSeconds
    if (!isBeyond) readers.set(key, { rows: rows + 1, last: at })
    return !isBeyond
  }
  return (opening) => {
    if (opening.seconds !== 1) return opening
    const itsDay = Math.floor(opening.at / day)
    if (itsDay !== today) readers.clear()
    today = itsDay
    return takesRow(readerKey(opening), opening.at) ? opening : openingWithin(opening, hour)
  }
}
