import type { JSX } from 'preact'
import type { Event } from '../../../src/client/responses.ts'
import { Transaction } from '../acts/transaction.tsx'
import { Moment } from '../parts/moment.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { TokenLink } from '../parts/token-link.tsx'
import { EventDescription } from './event-description.tsx'

type Props = {
  readonly name: string
  readonly events: readonly Event[]
  /** Whether the events are of several memories, so that each names its own. */
  readonly isOfMany: boolean
}

/** Shows events as a table. */
export function EventTable({ name, events, isOfMany }: Props): JSX.Element {
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
          {events.map((event) => (
            <Row key={event.id} event={event} isOfMany={isOfMany} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function Row({ event, isOfMany }: { readonly event: Event; readonly isOfMany: boolean }) {
  const { id, tokenId, timestamp, block, txHash } = event
  return (
    <tr data-row={id}>
      {isOfMany && (
        // Events of heirs are of no token.
        <td class="title">{tokenId !== '0' && <TokenLink tokenId={tokenId} />}</td>
      )}
      <td class="what">
        <EventDescription event={event} />
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
