import { type Catalogue, type HistoryEntry, readEvents } from '@heirloom/core'
import { backoff } from './backoff.ts'
import { type Send, Undelivered } from './send.ts'
import { signatureOf } from './signature.ts'
import type { Position } from './webhook.ts'
import type { Hook, Hooks } from './webhook-store.ts'

/** What a webhook is told: an event, or that those from a block on no longer stand. */
export type Told = HistoryEntry | Undone

/** Tells that what was told from a block on no longer stands; what follows takes its place. */
export type Undone = { readonly id: string; readonly kind: 'reorganised'; readonly block: bigint }

/** What happens to deliveries. */
export type WebhookEvent =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly hook: string; readonly problem: string }
  | { readonly kind: 'trouble'; readonly error: unknown }

/** What a turn needs. */
export type TurnParts = {
  readonly hooks: Hooks
  readonly catalogue: Pick<Catalogue, 'happened'>
  readonly send: Send
  /** Writes what is told as JSON. */
  readonly print: (told: Told) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Returns a number from 0 to 1, as a coin that nobody can foresee. */
  readonly random: () => number
  readonly observe: (event: WebhookEvent) => void
}

/** How many events a turn tells at most. */
const longestTurn = 100

/** What is left to do for a webhook: `nothing`, or `more`, now or after the rest it was given. */
export type Left = 'nothing' | 'more'

/** Tells a webhook, one by one, of what happened since it was told last, until it fails. */
export async function turn(parts: TurnParts, hook: Hook, stop: AbortSignal): Promise<Left> {
  const { steps, left } = await ahead(parts.catalogue, hook)
  let reached: Reached | undefined = { saved: hook, now: hook }
  for (const step of steps) {
    reached = await take(parts, { reached, step }, stop)
    if (reached === undefined) return 'more'
  }
  const { saved, now } = reached
  if (now !== saved) await parts.hooks.note(saved, now)
  return left
}

/** A webhook as the store has it, and as it is by now. */
type Reached = { readonly saved: Hook; readonly now: Hook }

/** A step in the course of events: where it leads, and what to say of it. */
type Step = { readonly position: Position; readonly told: Told | undefined }

type Ahead = { readonly steps: readonly Step[]; readonly left: Left }

async function ahead(catalogue: TurnParts['catalogue'], hook: Hook): Promise<Ahead> {
  const lost = await lostSince(catalogue, hook.position)
  if (lost !== undefined) return { steps: [undoing(hook.position, lost)], left: 'more' }
  const { entries, undoneFrom } = await readEvents(catalogue, hook.position, longestTurn)
  const undone = undoneFrom === undefined ? [] : [undoing(hook.position, undoneFrom)]
  const steps = [...undone, ...entries.map((entry) => telling(hook, entry))]
  return { steps, left: entries.length < longestTurn ? 'nothing' : 'more' }
}

/** Returns from where on a webhook may have been told of events that do not stand, unseen by us. */
async function lostSince(
  { happened }: TurnParts['catalogue'],
  { pending }: Position,
): Promise<bigint | undefined> {
  if (pending === undefined) return undefined
  const [, block] = /-reorganised-(\d+)$/.exec(pending) ?? []
  return block === undefined ? (await happened(pending, 1)).undoneFrom : BigInt(block)
}

function undoing({ event, undone }: Position, from: bigint): Step {
  const id = `${event ?? 'start'}-reorganised-${from}`
  const forgets = event !== undefined && BigInt(event.split('-', 1).join()) >= from
  const position = { event, undone: forgets ? from : undone, pending: undefined }
  return { position, told: { id, kind: 'reorganised', block: from } }
}

const telling = (hook: Hook, entry: HistoryEntry): Step => ({
  position: { event: entry.id, undone: undefined, pending: undefined },
  told: concerns(hook, entry) ? entry : undefined,
})

const concerns = ({ kinds, tokenId }: Hook, entry: HistoryEntry): boolean =>
  (kinds?.includes(entry.kind) ?? true) && (tokenId ?? entry.tokenId) === entry.tokenId

type Taking = { readonly reached: Reached; readonly step: Step }

/** Takes a webhook one step on; returns nothing where its turn ends. */
async function take(
  parts: TurnParts,
  { reached: { saved, now }, step: { position, told } }: Taking,
  stop: AbortSignal,
): Promise<Reached | undefined> {
  if (told === undefined) return { saved, now: { ...now, position } }
  // Known before it is sent: what was sent and then undone must be taken back.
  const { event, undone } = told.kind === 'reorganised' ? position : now.position
  const sending = { ...now, position: { event, undone, pending: told.id } }
  const secret = await parts.hooks.secretOf(saved.id)
  const isNoted = secret !== undefined && (await parts.hooks.note(saved, sending))
  if (!isNoted || !(await isTaken(parts, { hook: sending, told, secret }, stop))) return undefined
  parts.observe({ kind: 'delivered' })
  const after = { ...now, position, delivered: told.id, failing: undefined }
  return { saved: sending, now: after }
}

type Sending = { readonly hook: Hook; readonly told: Told; readonly secret: string }

async function isTaken(
  parts: TurnParts,
  { hook, told, secret }: Sending,
  stop: AbortSignal,
): Promise<boolean> {
  try {
    stop.throwIfAborted()
    await parts.send({ url: hook.url, ...signed(parts, told, secret) }, stop)
    return true
  } catch (error) {
    if (stop.aborted) return false
    if (!(error instanceof Undelivered)) throw error
    await noteFailure(parts, hook, error.message)
    return false
  }
}

function signed({ print, now }: TurnParts, told: Told, secret: string) {
  const body = print(told)
  const timestamp = Math.floor(now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'heirloom',
    'x-heirloom-event-id': told.id,
    'x-heirloom-timestamp': `${timestamp}`,
    'x-heirloom-signature': signatureOf({ secret, timestamp, body }),
  }
  return { headers, body }
}

async function noteFailure(
  { hooks, now, random, observe }: TurnParts,
  hook: Hook,
  problem: string,
): Promise<void> {
  const { attempts = 0, since = now() } = hook.failing ?? {}
  const nextAt = now() + backoff(attempts, random())
  await hooks.note(hook, { ...hook, failing: { attempts: attempts + 1, since, nextAt, problem } })
  observe({ kind: 'failed', hook: hook.id, problem })
}
