import type { Catalogue, HistoryEntry } from '@heirloom/core'
import { backoff } from './backoff.ts'
import type { Hook, Hooks, Progress } from './hooks.ts'
import { type Send, Undelivered } from './send.ts'
import { signatureOf } from './signature.ts'
import type { Position } from './webhook.ts'

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
  const { entries, undoneFrom } = await parts.catalogue.happened(hook.position.event, longestTurn)
  const left = entries.length < longestTurn ? 'nothing' : 'more'
  const steps = [...undoing(hook, undoneFrom), ...telling(hook, entries)]
  let noted: Hook | undefined = hook
  for (const { position, told } of steps.filter(isTold)) {
    noted = await tell(parts, { hook: noted, told, position }, stop)
    if (noted === undefined) return 'more'
  }
  const last = steps.at(-1)
  if (last !== undefined && !isTold(last)) await advance(parts, noted, last.position)
  return left
}

const isTold = (step: Step): step is Step & { readonly told: Told } => step.told !== undefined

/** A place in the course of events, and what to say of it. */
type Step = { readonly position: Position; readonly told: Told | undefined }

function undoing({ position: { event, undone } }: Hook, from: bigint | undefined): Step[] {
  if (from === undefined || from === undone) return []
  const told = { id: `${event ?? 'start'}-reorganised-${from}`, kind: 'reorganised', block: from }
  return [{ position: { event, undone: from }, told: told as Undone }]
}

function telling(hook: Hook, entries: readonly HistoryEntry[]): Step[] {
  return entries.map((entry) => ({
    position: { event: entry.id, undone: undefined },
    told: concerns(hook, entry) ? entry : undefined,
  }))
}

const concerns = ({ kinds, tokenId }: Hook, entry: HistoryEntry): boolean =>
  (kinds?.includes(entry.kind) ?? true) && (tokenId ?? entry.tokenId) === entry.tokenId

type Telling = { readonly hook: Hook; readonly told: Told; readonly position: Position }

/** Tells a webhook of one thing; returns it as it now stands, or nothing where its turn ends. */
async function tell(
  parts: TurnParts,
  { hook, told, position }: Telling,
  stop: AbortSignal,
): Promise<Hook | undefined> {
  const secret = await parts.hooks.secretOf(hook.id)
  if (secret === undefined || stop.aborted) return undefined
  try {
    await parts.send({ url: hook.url, ...signed(parts, told, secret) }, stop)
  } catch (error) {
    if (!(error instanceof Undelivered)) throw error
    if (!stop.aborted) await noteFailure(parts, hook, error.message)
    return undefined
  }
  parts.observe({ kind: 'delivered' })
  return advance(parts, { ...hook, delivered: told.id }, position)
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

async function advance(
  { hooks }: TurnParts,
  hook: Hook,
  position: Position,
): Promise<Hook | undefined> {
  const { delivered } = hook
  const isNoted = await hooks.note(hook, { position, delivered })
  return isNoted ? { ...hook, position, delivered, failing: undefined } : undefined
}

async function noteFailure(
  { hooks, now, random, observe }: TurnParts,
  hook: Hook,
  problem: string,
): Promise<void> {
  const { attempts = 0, since = now() } = hook.failing ?? {}
  const nextAt = now() + backoff(attempts, random())
  const failing: Progress = { failing: { attempts: attempts + 1, since, nextAt, problem } }
  await hooks.note(hook, failing)
  observe({ kind: 'failed', hook: hook.id, problem })
}
