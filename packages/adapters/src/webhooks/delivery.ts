import { type Catalogue, type HistoryEntry, readEvents } from '@heirloom/core'
import { type Send, Undelivered } from './send.ts'
import { type DeliveryPosition, signatureOf } from './webhook.ts'
import type { StoredWebhook, WebhookStore } from './webhook-store.ts'

/** A message to a webhook: an event, or a reorganisation that undid earlier ones. */
export type WebhookMessage = HistoryEntry | ReorganisedMessage

/** Reports that all events from a block on are undone; the events that replace them follow. */
export type ReorganisedMessage = {
  readonly id: string
  readonly kind: 'reorganised'
  readonly block: bigint
}

/** An observable event of the deliveries. */
export type WebhookEvent =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly hook: string; readonly problem: string }
  | { readonly kind: 'trouble'; readonly error: unknown }

/** The dependencies of a delivery. */
export type DeliveryContext = {
  readonly store: WebhookStore
  readonly catalogue: Pick<Catalogue, 'eventsAfter'>
  readonly send: Send
  /** Encodes a message as JSON. */
  readonly print: (message: WebhookMessage) => string
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Returns a random number from 0 to 1. */
  readonly random: () => number
  readonly observe: (event: WebhookEvent) => void
}

/** The most events of one delivery. */
const maxEvents = 100

/** The work that remains for a webhook after a delivery; `more` may have to wait for the next attempt. */
export type Remaining = 'nothing' | 'more'

/** Delivers the next events to a webhook, one by one, until a delivery fails. */
export async function deliver(
  context: DeliveryContext,
  webhook: StoredWebhook,
  stop: AbortSignal,
): Promise<Remaining> {
  const { steps, remaining } = await nextSteps(context.catalogue, webhook)
  let reached: Reached | undefined = { saved: webhook, current: webhook }
  for (const step of steps) {
    reached = await takeStep(context, { reached, step }, stop)
    if (reached === undefined) return 'more'
  }
  const { saved, current } = reached
  if (current !== saved) await context.store.saveProgress(saved, current)
  return remaining
}

/** A webhook as it is stored, and as it is after the steps so far. */
type Reached = { readonly saved: StoredWebhook; readonly current: StoredWebhook }

/** A step in the course of events: the new position, and the message to send, if any. */
type Step = {
  readonly position: DeliveryPosition
  readonly message: WebhookMessage | undefined
}

type NextSteps = { readonly steps: readonly Step[]; readonly remaining: Remaining }

async function nextSteps(
  catalogue: DeliveryContext['catalogue'],
  webhook: StoredWebhook,
): Promise<NextSteps> {
  const { position } = webhook
  const lostFrom = await pendingUndoneFrom(catalogue, position)
  if (lostFrom !== undefined) {
    return { steps: [reorganisedStep(position, lostFrom)], remaining: 'more' }
  }
  const { entries, reorganisedFrom } = await readEvents(catalogue, position, maxEvents)
  const undone = reorganisedFrom === undefined ? [] : [reorganisedStep(position, reorganisedFrom)]
  const steps = [...undone, ...entries.map((entry) => eventStep(webhook, entry))]
  return { steps, remaining: entries.length < maxEvents ? 'nothing' : 'more' }
}

/** Returns the first undone block, if the pending message was undone or reported a reorganisation. */
async function pendingUndoneFrom(
  { eventsAfter }: DeliveryContext['catalogue'],
  { pending }: DeliveryPosition,
): Promise<bigint | undefined> {
  if (pending === undefined) return undefined
  const [, block] = /-reorganised-(\d+)$/.exec(pending) ?? []
  return block === undefined ? (await eventsAfter(pending, 1)).reorganisedFrom : BigInt(block)
}

function reorganisedStep({ event, reportedFrom }: DeliveryPosition, from: bigint): Step {
  const id = `${event ?? 'start'}-reorganised-${from}`
  const isEventUndone = event !== undefined && BigInt(event.split('-', 1).join()) >= from
  const position = { event, reportedFrom: isEventUndone ? from : reportedFrom, pending: undefined }
  return { position, message: { id, kind: 'reorganised', block: from } }
}

const eventStep = (webhook: StoredWebhook, entry: HistoryEntry): Step => ({
  position: { event: entry.id, reportedFrom: undefined, pending: undefined },
  message: isSubscribed(webhook, entry) ? entry : undefined,
})

const isSubscribed = ({ kinds, tokenId }: StoredWebhook, entry: HistoryEntry): boolean =>
  (kinds?.includes(entry.kind) ?? true) && (tokenId ?? entry.tokenId) === entry.tokenId

type StepInput = { readonly reached: Reached; readonly step: Step }

/** Moves a webhook one step on; returns `undefined` when the delivery must end. */
async function takeStep(
  context: DeliveryContext,
  { reached: { saved, current }, step: { position, message } }: StepInput,
  stop: AbortSignal,
): Promise<Reached | undefined> {
  if (message === undefined) return { saved, current: { ...current, position } }
  // Saved before the message is sent: if it is undone later, the receiver must learn of that.
  const { event, reportedFrom } = message.kind === 'reorganised' ? position : current.position
  const sending = { ...current, position: { event, reportedFrom, pending: message.id } }
  const secret = await context.store.secretOf(saved.id)
  const isSaved = secret !== undefined && (await context.store.saveProgress(saved, sending))
  if (!isSaved || !(await isDelivered(context, { webhook: sending, message, secret }, stop))) {
    return undefined
  }
  context.observe({ kind: 'delivered' })
  const after = { ...current, position, delivered: message.id, failing: undefined }
  return { saved: sending, current: after }
}

type Outgoing = {
  readonly webhook: StoredWebhook
  readonly message: WebhookMessage
  readonly secret: string
}

async function isDelivered(
  context: DeliveryContext,
  { webhook, message, secret }: Outgoing,
  stop: AbortSignal,
): Promise<boolean> {
  try {
    stop.throwIfAborted()
    await context.send({ url: webhook.url, ...signedRequest(context, message, secret) }, stop)
    return true
  } catch (error) {
    if (stop.aborted) return false
    if (!(error instanceof Undelivered)) throw error
    await recordFailure(context, webhook, error.message)
    return false
  }
}

function signedRequest({ print, now }: DeliveryContext, message: WebhookMessage, secret: string) {
  const body = print(message)
  const timestamp = Math.floor(now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'heirloom',
    'x-heirloom-event-id': message.id,
    'x-heirloom-timestamp': `${timestamp}`,
    'x-heirloom-signature': signatureOf({ secret, timestamp, body }),
  }
  return { headers, body }
}

async function recordFailure(
  { store, now, random, observe }: DeliveryContext,
  webhook: StoredWebhook,
  problem: string,
): Promise<void> {
  const { attempts = 0, since = now() } = webhook.failing ?? {}
  const nextAt = now() + backoff(attempts, random())
  const failing = { attempts: attempts + 1, since, nextAt, problem }
  await store.saveProgress(webhook, { ...webhook, failing })
  observe({ kind: 'failed', hook: webhook.id, problem })
}

const [shortest, longest] = [1000, 3_600_000]

/**
 * Returns the delay after a failure, in milliseconds: from a second to an hour, doubled with each
 * of the `attempts` that failed before it, and reduced by up to a half by `chance` (0 to 1), so that receivers that failed
 * together are not retried together.
 */
function backoff(attempts: number, chance: number): number {
  const full = Math.min(longest, shortest * 2 ** Math.min(attempts, 30))
  return Math.max(shortest, Math.round(full * (1 - chance / 2)))
}
