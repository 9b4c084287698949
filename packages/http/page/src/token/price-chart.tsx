import type { Earning, Event } from '../../../src/client/responses.ts'
import { paidIn } from '../account/sum-earnings.ts'
import { shortAmount } from '../api/deployment.ts'
import { Chart } from '../parts/chart.tsx'
import { type CurrencyKind, currencyOfEvent } from '../text/amount.ts'
import { formatExactTime, formatSpan } from '../text/moment.ts'

const [width, height, margin] = [640, 160, 8]

type Props = {
  readonly of: Prices
  readonly currency: CurrencyKind
  /** The shape of the marks: filled for sales, hollow for rentals and forks. */
  readonly mark: 'sale' | 'rental'
  /** The time now, where the line of an offer that still stands ends; in seconds. */
  readonly now: number
}

/** Draws what was requested as a line of steps, and each payment as a mark; a table says the same. */
export function PriceChart({ of: { requested, paid }, currency, mark, now }: Props): JSX.Element {
  const points = [...requested, ...paid]
  const begin = points.reduce((least, { at }) => Math.min(least, at), now)
  const highest = points.reduce((most, { price }) => (price > most ? price : most), 1n)
  const x = (at: number) =>
    margin + ((at - begin) / Math.max(1, now - begin)) * (width - 2 * margin)
  const y = (price: bigint) =>
    height - margin - (Number((price * 1000n) / highest) / 1000) * (height - 2 * margin)
  const format = (price: bigint) => shortAmount(price, currency)
  return (
    <Chart
      size={{ width, height }}
      values={[format(highest), format(0n)]}
      times={formatSpan(begin, now)}
    >
      <line class="base" x1={0} x2={width} y1={height - margin} y2={height - margin} />
      <path d={drawSteps(requested, now, { x, y })} />
      {paid.map(({ at, price }, index) => (
        <Mark key={`${index}`} kind={mark} d={`M${x(at)} ${y(price)}h0`}>
          {`${format(price)}, ${formatExactTime(at)}`}
        </Mark>
      ))}
    </Chart>
  )
}

type MarkProps = {
  readonly kind: Props['mark']
  /** A line without length, whose round caps are a circle in a chart of any shape. */
  readonly d: string
  readonly children: string
}

function Mark({ kind, d, children }: MarkProps): JSX.Element {
  return (
    <g>
      <title>{children}</title>
      <path class="mark" d={d} />
      {kind === 'rental' && <path class="mark hollow" d={d} />}
    </g>
  )
}

type Scale = { readonly x: (at: number) => number; readonly y: (price: bigint) => number }

/** Draws each price until the next one; nothing where nothing was requested. */
function drawSteps(requested: readonly PricePoint[], now: number, { x, y }: Scale): string {
  return requested
    .flatMap(({ at, price }, index) => {
      const end = requested[index + 1]?.at ?? now
      const before = requested[index - 1]?.price ?? 0n
      const start = before === 0n ? 'M' : 'L'
      return price === 0n ? [] : [`${start}${x(at)} ${y(price)}L${x(end)} ${y(price)}`]
    })
    .join('')
}

/** A price at a time, in seconds since the Unix epoch. */
export type PricePoint = { readonly at: number; readonly price: bigint }

/** The prices of one way of offering a memory, the oldest first. */
export type Prices = {
  /** The price of each listing; 0 where it was not offered any more. */
  readonly requested: readonly PricePoint[]
  readonly paid: readonly PricePoint[]
}

/** Describes what a memory was offered and paid for in one currency. */
export type PriceSeries = Readonly<ReturnType<typeof priceSeries>>

type Term = 'price' | 'rentalPricePerDay' | 'forkPrice'

/** Returns the series of prices in a currency that events make, in any order of the events. */
export function priceSeries(events: readonly Event[], currency: CurrencyKind) {
  const ordered = events.toSorted(
    (one, other) =>
      Number(BigInt(one.block) - BigInt(other.block)) || one.logIndex - other.logIndex,
  )
  const isIn = (event: Event) => currencyOfEvent(event) === currency
  // A listing in the other currency ends the offer in this one.
  const requested = (term: Term) =>
    withoutRepetitions(ordered.flatMap((event) => requestedBy(event, isIn(event) ? term : 'none')))
  const prices = (term: Term, paidIn: (event: Event) => readonly PricePoint[]): Prices => ({
    requested: requested(term),
    paid: ordered.filter(isIn).flatMap(paidIn),
  })
  const days = countDays(ordered)
  return {
    currency,
    sale: prices('price', (event) => paidFor(event, 'sales')),
    /** The rent per day. */
    rent: prices('rentalPricePerDay', (event) => paidFor(event, 'rentals', days.get(event.id))),
    fork: prices('forkPrice', (event) => paidFor(event, 'forks')),
  }
}

/** Returns the price that an event sets, if it sets one. */
function requestedBy(event: Event, term: Term | 'none'): readonly PricePoint[] {
  const at = Number(event.timestamp)
  // The new owner of a token has not listed it.
  if (event.kind === 'transfer') return [{ at, price: 0n }]
  if (event.kind !== 'listing' && event.kind !== 'dollar-listing') return []
  return [{ at, price: term === 'none' ? 0n : BigInt(event[term]) }]
}

/** Returns the price that an event paid for a number of days, if it is of a kind, in either currency. */
function paidFor(event: Event, kind: Earning['kind'], days = 1n): readonly PricePoint[] {
  const paid = paidIn(event)
  if (paid?.kind !== kind) return []
  return [{ at: Number(event.timestamp), price: BigInt(paid.amount) / days }]
}

const secondsPerDay = 86_400

/** Returns the days of each rental by the id of its event: those after its time, or after the rental that it extends. */
function countDays(ordered: readonly Event[]): ReadonlyMap<string, bigint> {
  const ends = new Map<string, number>()
  const days = new Map<string, bigint>()
  for (const event of ordered) {
    if (event.kind !== 'rental' && event.kind !== 'dollar-rental') continue
    const { id, renter, timestamp, expiresAt } = event
    const from = Math.max(Number(timestamp), ends.get(renter) ?? 0)
    const count = Math.round((Number(expiresAt) - from) / secondsPerDay)
    days.set(id, BigInt(Math.max(1, count)))
    ends.set(renter, Number(expiresAt))
  }
  return days
}

/** Leaves out points that change nothing; a series begins with an offer. */
const withoutRepetitions = (points: readonly PricePoint[]): readonly PricePoint[] =>
  points.filter(({ price }, index) => price !== (points[index - 1]?.price ?? 0n))

/** Returns whether there is a price. */
export const hasPrices = ({ requested, paid }: Prices): boolean =>
  requested.length + paid.length > 0

/** Returns the price that was requested and paid, if there was one only. */
export function findOnlyPrice({ requested, paid }: Prices): bigint | undefined {
  const all = new Set([...requested, ...paid].map(({ price }) => price))
  all.delete(0n)
  const [only] = all
  return all.size === 1 ? only : undefined
}
