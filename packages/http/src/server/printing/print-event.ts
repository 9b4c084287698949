import type { WebhookMessage } from '@heirloom/adapters/webhooks'
import {
  convertEvent,
  type EventCodec,
  type EventFieldValues,
  type HistoryEntry,
  toSeconds,
} from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { EventFieldJson, EventRecord } from '../../api/event-schemas.ts'

const codec: EventCodec<EventFieldValues, EventFieldJson> = {
  account: (account) => account,
  'account?': (account) => account ?? null,
  tokenId: String,
  'tokenId?': (tokenId) => String(tokenId ?? 0n),
  amount: String,
  dollars: String,
  bps: (share) => share,
  'bps?': (share) => share ?? null,
  hash: (hash) => hash,
  digest: (digest) => digest,
  days: (days) => days,
  instant: (instant) => String(toSeconds(instant)),
}

/** Encodes an event for clients. */
export function printEvent(entry: HistoryEntry): Static<typeof EventRecord> {
  const { id, tokenId, block, at, txHash, logIndex } = entry
  const position = { block: `${block}`, timestamp: `${toSeconds(at)}`, txHash, logIndex }
  return { id, tokenId: `${tokenId}`, ...position, ...convertEvent(entry, codec) }
}

/** Encodes a delivery to a webhook, as JSON. */
export function printDelivery(event: WebhookMessage): string {
  if (event.kind !== 'reorganised') return JSON.stringify(printEvent(event))
  return JSON.stringify({ id: event.id, kind: event.kind, block: `${event.block}` })
}
