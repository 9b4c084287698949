import type { Earning } from '../../../src/client/responses.ts'
import { currencyOf, shortAmount } from '../api/deployment.ts'
import { useResource } from '../api/use-resource.ts'
import { Amount } from '../parts/amount.tsx'
import { Chart } from '../parts/chart.tsx'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { saveCsv } from '../parts/save-file.ts'
import { ButtonLine } from '../parts/section.tsx'
import { Table } from '../parts/table.tsx'
import { TokenLink } from '../parts/token-link.tsx'
import { type CurrencyKind, currencyKinds } from '../text/amount.ts'
import {
  type EarningsRow,
  earningKinds,
  earningNames,
  earningsCsv,
  fillMonths,
  readPayments,
  type Some,
  sumByMemory,
  sumByMonth,
} from './sum-earnings.ts'

type Props = { readonly account: string; readonly isOwn: boolean }

/** Shows the earnings of an account by month and by memory, as charts, tables and a file. */
export function EarningsReport(props: Props): JSX.Element {
  const { account, isOwn } = props
  const { value, problem } = useResource(`${account} ${isOwn}`, (signal) => readAll(props, signal))
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (value === undefined) return <Loading />
  const { received, paid } = value
  return (
    <>
      {received.items.length === 0 && <p class="hint">Nothing received yet.</p>}
      {received.items.length > 0 && <Report of={received} account={account} />}
      {kindsIn(paid).map((currency) => (
        <EarningsTable
          key={currency}
          name={`Paid by month, in ${currencyOf(currency).symbol}, without network fees`}
          first="Month"
          sales="Purchases"
          rows={sumByMonth(paid, currency)}
          currency={currency}
        />
      ))}
    </>
  )
}

/** Returns the currencies of some payments. */
const kindsIn = (all: readonly Earning[]): readonly CurrencyKind[] =>
  currencyKinds.filter((kind) => all.some(({ currency }) => currency === kind))

type ReportProps = { readonly of: Some<Earning>; readonly account: string }

function Report({ of: { items, isCut }, account }: ReportProps): JSX.Element {
  const save = () => saveCsv(earningsCsv(items, currencyOf), `earnings-${account}.csv`)
  return (
    <>
      {isCut && <p class="hint">Of the newest {mostPages * 100} payments.</p>}
      {kindsIn(items).map((currency) => (
        <ReportIn key={currency} currency={currency} of={items} />
      ))}
      <ButtonLine name="Save as CSV" onClick={save} />
    </>
  )
}

type InProps = { readonly currency: CurrencyKind; readonly of: readonly Earning[] }

function ReportIn({ currency, of }: InProps): JSX.Element {
  const months = sumByMonth(of, currency)
  const { symbol } = currencyOf(currency)
  return (
    <>
      <MonthChart of={fillMonths(months)} currency={currency} />
      <EarningsTable
        name={`By month, in ${symbol}`}
        first="Month"
        rows={months}
        currency={currency}
      />
      <EarningsTable
        name={`By memory, in ${symbol}`}
        first="Memory"
        rows={sumByMemory(of, currency)}
        isOfMemories
        currency={currency}
      />
    </>
  )
}

const byMost = (one: bigint, other: bigint) => (one < other ? 1 : -1)

const [width, height, gap] = [640, 120, 2]

type ChartProps = { readonly of: readonly EarningsRow[]; readonly currency: CurrencyKind }

/** Draws the total of each month as a bar, or names the only month; a table says the same. */
function MonthChart({ of, currency }: ChartProps): JSX.Element {
  const [first, last] = [of[0]?.key ?? '', of.at(-1)?.key ?? '']
  const [highest = 1n] = of.map(({ sums }) => sums.total).toSorted(byMost)
  const format = (amount: bigint) => shortAmount(amount, currency)
  if (first === last) return <p>{`All in ${first}: ${format(highest)}.`}</p>
  const step = width / of.length
  return (
    <Chart size={{ width, height }} values={[format(highest), format(0n)]} times={[first, last]}>
      {of.map(({ key, sums: { total } }, at) => (
        <Bar key={key} x={at * step} step={step} tall={Number((total * 1000n) / highest) / 1000}>
          {`${key}: ${format(total)}`}
        </Bar>
      ))}
    </Chart>
  )
}

type BarProps = {
  readonly x: number
  /** The width for the bar and the space around it. */
  readonly step: number
  /** The share of the height. */
  readonly tall: number
  readonly children: string
}

function Bar({ x, step, tall, children }: BarProps): JSX.Element {
  const [wide, high] = [Math.max(1, step - gap), tall * (height - 8)]
  return (
    <rect class="bar" x={x + gap / 2} y={height - high} width={wide} height={high}>
      <title>{children}</title>
    </rect>
  )
}

type TableProps = {
  readonly name: string
  readonly first: string
  /** The name of the column of sales. */
  readonly sales?: string
  readonly rows: readonly EarningsRow[]
  readonly currency: CurrencyKind
  readonly isOfMemories?: boolean
}

function EarningsTable(props: TableProps): JSX.Element {
  const { name, first, sales = earningNames.sales, rows, currency, isOfMemories } = props
  return (
    <Table
      name={name}
      class="history"
      isTitled
      columns={[first, sales, ...earningKinds.slice(1).map((kind) => earningNames[kind]), 'Total']}
    >
      {rows.map(({ key, sums }) => (
        <tr key={key}>
          <th scope="row" class={isOfMemories === true ? 'named' : undefined}>
            {isOfMemories === true ? <TokenLink tokenId={key} /> : key}
          </th>
          {[...earningKinds, 'total' as const].map((kind) => (
            <td key={kind}>
              {sums[kind] === 0n ? '—' : <Amount of={sums[kind]} currency={currency} />}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

/** The most pages of 100 payments that are read. */
const mostPages = 50

/** Reads the payments that an account received, and with `isOwn` those that it made. */
const readAll = ({ account, isOwn }: Props, signal: AbortSignal) =>
  readPayments(account, { most: mostPages, mostPaid: isOwn ? mostPages : 0 }, signal)
