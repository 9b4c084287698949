import type { JSX } from 'preact'
import { currencyOf } from '../currencies.ts'
import { Chart } from '../parts/chart.tsx'
import { formatShortAmount } from '../text/amount.ts'
import type { CurrencyKind } from '../text/currency.ts'
import { formatExactTime, formatSpan } from '../text/moment.ts'
import type { PricePoint, Prices } from '../text/price-series.ts'

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
  const format = (price: bigint) => formatShortAmount(price, currencyOf(currency))
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
