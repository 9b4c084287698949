import type { JSX } from 'preact'
import type { Event } from '../../../src/client/responses.ts'
import { Transaction } from '../acts/transaction.tsx'
import { Moment } from '../parts/moment.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { TokenLink } from '../parts/token-link.tsx'
import { EventDescription } from './event-description.tsx'
import type { HistoryRow } from './history-rows.ts'

type Props = {
  readonly name: string
  readonly rows: readonly HistoryRow<Event>[]
  /** Whether the events are of several memories, so that each names its own. */
  readonly isOfMany: boolean
}

/** Shows events as a table, with a row for what one transaction did to a memory. */
export function EventTable({ name, rows, isOfMany }: Props): JSX.Element {
  return (
    <ScrollArea class="scroll" name={name}>
      <table class="history events">
        <thead>
          <tr>
            {isOfMany && <th scope="col">Memory</th>}
            <th scope="col">Event</th>
            <th scope="col">Time</th>
            <th scope="col">Block</th>
            <th scope="col">Transaction</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) =>
            'erasedAt' in row ? (
              <ErasedRow key={row.key} at={row.erasedAt} />
            ) : (
              <Row key={row.key} name={row.key} events={row.events} isOfMany={isOfMany} />
            ),
          )}
        </tbody>
      </table>
    </ScrollArea>
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
        {events.map((event) => (
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
