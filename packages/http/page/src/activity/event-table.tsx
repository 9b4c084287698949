import type { Event } from '../../../src/client/responses.ts'
import { Account } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Transaction } from '../parts/explorer-link.tsx'
import { Moment } from '../parts/moment.tsx'
import { Table } from '../parts/table.tsx'
import { TokenLink } from '../parts/token-link.tsx'
import { currencyOfEvent } from '../text/amount.ts'
import { formatBps } from '../text/describe-royalties.ts'

type Props = {
  readonly name: string
  readonly rows: readonly HistoryRow<Event>[]
  /** Whether the events are of several memories, so that each names its own. */
  readonly isOfMany: boolean
}

const eventColumns = ['Event', 'Time', 'Block', 'Transaction'] as const

/** Shows events as a table, with a row for what one transaction did to a memory. */
export function EventTable({ name, rows, isOfMany }: Props): JSX.Element {
  return (
    <Table
      name={name}
      class="history events"
      columns={isOfMany ? ['Memory', ...eventColumns] : eventColumns}
    >
      {rows.map((row) =>
        'erasedAt' in row ? (
          <ErasedRow key={row.key} at={row.erasedAt} />
        ) : (
          <Row key={row.key} name={row.key} events={row.events} isOfMany={isOfMany} />
        ),
      )}
    </Table>
  )
}

/** Shows that the memory was erased, which this server knows and the chain does not. */
function ErasedRow({ at }: { readonly at: string }): JSX.Element {
  return (
    <tr>
      <td class="what">
        <strong>Erased</strong> The memory was erased for its owner
      </td>
      <td class="when">
        <Moment at={at} />
      </td>
      <td class="hint" colSpan={2}>
        noted by this server, not on the chain
      </td>
    </tr>
  )
}

type RowProps = Pick<Props, 'name' | 'isOfMany'> & { readonly events: readonly Event[] }

function Row({ name, events, isOfMany }: RowProps): JSX.Element | undefined {
  const [first] = events
  if (first === undefined) return undefined
  const { tokenId, timestamp, block, txHash } = first
  return (
    <tr data-row={name}>
      {isOfMany && (
        // Events of heirs are of no token.
        <td class="title">{tokenId !== '0' && <TokenLink tokenId={tokenId} />}</td>
      )}
      <td class="what">
        {withoutParts(events).map((event) => (
          <div key={event.id}>
            <EventDescription event={event} />
          </div>
        ))}
      </td>
      <td class="when">
        <Moment at={timestamp} />
      </td>
      <td class="block">{block}</td>
      <td class="transaction">
        <Transaction hash={txHash} />
      </td>
    </tr>
  )
}

/** The acts that also transfer a token, or describe it. */
const wholes: ReadonlySet<Event['kind']> = new Set<Event['kind']>([
  ...(['mint', 'sale', 'dollar-sale', 'takeover'] as const),
])

/** Returns the events of one transaction without those that only repeat another of them. */
export function withoutParts<T extends { readonly kind: string }>(
  events: readonly T[],
): readonly T[] {
  const hasWhole = events.some(({ kind }) => wholes.has(kind as Event['kind']))
  const isPart = ({ kind }: T) => kind === 'transfer' || kind === 'card'
  return hasWhole ? events.filter((it) => !isPart(it)) : events
}

type Placed = Pick<Event, 'tokenId' | 'txHash' | 'logIndex'>

/** The events of one transaction and one token, in the order in which they happened. */
type EventGroup<T> = { readonly key: string; readonly events: readonly T[] }

/** Returns events in groups of what one transaction did to one token. */
export function groupEvents<T extends Placed>(events: readonly T[]): readonly EventGroup<T>[] {
  const groups = Map.groupBy(events, ({ txHash, tokenId }) => `${txHash} ${tokenId}`)
  return [...groups].map(([key, group]) => ({
    key,
    events: group.toSorted((one, other) => one.logIndex - other.logIndex),
  }))
}

/** A row of a history: what one transaction did to a memory, or that the memory was erased. */
type HistoryRow<T> =
  | EventGroup<T>
  | {
      readonly key: 'erased'
      /** Seconds since 1970, by the clock of the server. */
      readonly erasedAt: string
    }

type Timed = Placed & Pick<Event, 'kind' | 'timestamp'>

type HistoryRowsInput<T> = {
  /** The events of a memory, newest first. */
  readonly events: readonly T[]
  /** Whether no earlier event is left to load. */
  readonly isWhole: boolean
  /** When the memory was erased; `null` unless it was. */
  readonly erasedAt: string | null
}

/**
 * Returns the rows of a history, with the erasure of the memory at its time. The erasure is no event of
 * the chain; it has its row once all events after it are loaded.
 */
export function historyRows<T extends Timed>(input: HistoryRowsInput<T>): readonly HistoryRow<T>[] {
  const { events, isWhole, erasedAt } = input
  if (erasedAt === null) return rowsOf(events)
  const isAfter = ({ timestamp }: T) => Number(timestamp) > Number(erasedAt)
  const later = rowsOf(events.filter(isAfter))
  const earlier = rowsOf(events.filter((it) => !isAfter(it)))
  const erasure = { key: 'erased', erasedAt } as const
  return isWhole || earlier.length > 0 ? [...later, erasure, ...earlier] : later
}

/** Returns a row for each transaction, without the events that only repeat another of it. */
const rowsOf = <T extends Timed>(events: readonly T[]): readonly EventGroup<T>[] =>
  groupEvents(events).map(({ key, events: all }) => ({ key, events: withoutParts(all) }))

/** The name of an event and its text: a sign and the name of a member stand for what `Part` shows. */
type Text = readonly [name: string, text: string]

const texts = {
  mint: ['Created', 'by @creator'],
  card: ['Described', 'the creator added a public description'],
  transfer: ['Transferred', 'to @to'],
  sale: ['Sold', 'to @recipient for $price'],
  rental: ['Rented', 'by @renter for $paid, ends ~expiresAt'],
  fork: ['Forked', 'as #child by @forker for $price'],
  royalty: ['Royalty', '$amount to @to'],
  heartbeat: ['Sign of life', 'of @account'],
  'heir-named': ['Heir named', '@heir from @account'],
  'takeover-announced': ['Takeover announced', '@heir from @account, from ~takeoverAt on'],
  takeover: ['Taken over', '@heir from @account'],
} satisfies { readonly [kind in Exclude<Event['kind'], `dollar-${string}` | 'listing'>]: Text }

const offers = [
  ['price', 'for sale at $price'],
  ['rentalPricePerDay', 'for rent at $rentalPricePerDay a day'],
  ['forkPrice', 'for forks at $forkPrice with a royalty of %forkRoyaltyBps'],
] as const

function textOf(event: Event): Text {
  const { kind } = event
  if (kind === 'mint' && event.parent !== '0') return ['Created', 'by @creator from #parent']
  if (kind === 'transfer' && event.from === null) return ['Issued', 'to @to']
  // Dollars may come from anybody: the fork is that of its recipient.
  if (kind === 'dollar-fork') return ['Forked', 'as #child by @recipient for $price']
  if (kind !== 'listing' && kind !== 'dollar-listing') {
    return texts[kind.replace('dollar-', '') as keyof typeof texts] as unknown as Text
  }
  const made = offers.filter(([price]) => event[price] !== '0').map(([, text]) => text)
  return made.length === 0 ? ['Taken down', 'no longer listed'] : ['Listed', made.join(', ')]
}

/** Describes an event. */
export function EventDescription({ event }: { readonly event: Event }): JSX.Element {
  const [name, text] = textOf(event)
  return (
    <>
      <strong>{name}</strong>{' '}
      {text.split(/([@#$~%]\w+)/).map((part, at) => (
        <Part key={at} text={part} event={event} />
      ))}
    </>
  )
}

function Part({ text, event }: { readonly text: string; readonly event: Event }): JSX.Element {
  const value = (event as Readonly<Record<string, unknown>>)[text.slice(1)]
  const of = `${value}`
  switch (text[0]) {
    case '@':
      return value === null ? <>nobody</> : <Account of={of} />
    case '#':
      return <TokenLink tokenId={of} />
    case '$':
      return <Amount of={of} currency={currencyOfEvent(event)} />
    case '~':
      return <Moment at={of} />
    case '%':
      return <>{formatBps(Number(of))}</>
    default:
      return <>{text}</>
  }
}
