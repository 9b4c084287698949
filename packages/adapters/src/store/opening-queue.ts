import { day, type OpeningsOf, openingWithin, type RecordedOpening } from '@heirloom/core'
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

/**
 * Collects rows, equal ones as one, and writes them together. To add one takes no wait; what waits for
 * the store is bounded, and what finds no room is counted. A group that was not written is written with the
 * next one, unless it may be there already.
 */
export function groupedWrites(write: (rows: readonly WaitingRow[]) => Promise<void>) {
  let waiting = new Map<string, WaitingRow>()
  let writing: Promise<void> | undefined
  let beingWritten: readonly WaitingRow[] = []
  let timer: NodeJS.Timeout | undefined
  let lost = 0
  const startSoon = () => {
    timer ??= setTimeout(start, pause).unref()
  }
  const add = (row: WaitingRow) => {
    const key = keyOf(row)
    const known = waiting.get(key)
    if (known !== undefined) {
      known.count += row.count
      known.asOf = row.asOf
    } else if (waiting.size >= mostWaiting) {
      lost += row.count
    } else {
      waiting.set(key, row)
      startSoon()
    }
  }
  const giveBack = (rows: readonly WaitingRow[], error: unknown) => {
    const isUncertain = error instanceof CommitUncertain
    if (isUncertain) lost += rows.reduce((sum, { count }) => sum + count, 0)
    else rows.forEach(add)
  }
  const writeGroup = async () => {
    const rows = inOrder(waiting)
    waiting = new Map()
    beingWritten = rows
    if (rows.length > 0) await write(rows).catch((error: unknown) => giveBack(rows, error))
  }
  const end = () => {
    writing = undefined
    beingWritten = []
    if (waiting.size > 0) startSoon()
  }
  const start = () => {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeGroup().finally(end)
    return writing
  }
  const has = ({ tokenId: id, owner }: OpeningsOf): boolean => {
    const isMeant = (it: WaitingRow) => it.tokenId === `${id}` && it.owner === owner.toLowerCase()
    return [...waiting.values(), ...beingWritten].some(isMeant)
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
  return { add, has, settle, close, lost: () => lost }
}

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
    const key = `${opening.tokenId} ${opening.account} ${opening.scope}`
    return takesRow(key, opening.at) ? opening : openingWithin(opening, hour)
  }
}
