import { createHmac, randomBytes } from 'node:crypto'
import type { SubscriberPosition, TokenEvent, TokenId } from '@heirloom/core'

/** The kind of an event. */
export type EventKind = TokenEvent['kind']

/** The events that a webhook subscribes to, and where they are sent. */
export type Subscription = {
  readonly url: string
  /** Absent for every kind. */
  readonly kinds: readonly EventKind[] | undefined
  /** Absent for every token. */
  readonly tokenId: TokenId | undefined
}

/** A subscription and the state of its delivery. */
export type Webhook = Subscription & {
  readonly id: string
  /** The id of the last delivered event. */
  readonly delivered: string | undefined
  /** The problem with the next event; absent while deliveries succeed. */
  readonly failing: DeliveryProblem | undefined
}

/** A problem that delays the next event of a webhook. */
export type DeliveryProblem = {
  /** The failed attempts to deliver that event. */
  readonly attempts: number
  /** The times of the first failure and of the next attempt, in milliseconds since 1970. */
  readonly since: number
  readonly nextAt: number
  readonly problem: string
}

/**
 * The position of a webhook in the course of events. `event` is the last one that was delivered or
 * not subscribed to; no later one was sent, except perhaps the `pending` one.
 */
export type DeliveryPosition = SubscriberPosition & {
  /** The event that was sent, but not confirmed as delivered. */
  readonly pending: string | undefined
}

/** Returns a new secret: 32 random bytes in hexadecimal. */
export const newSecret = (): string => randomBytes(32).toString('hex')

/** A body, and the time at which it is sent in seconds since the Unix epoch. */
type SignedMessage = { readonly secret: string; readonly timestamp: number; readonly body: string }

/**
 * Returns the value of `x-heirloom-signature`: an HMAC-SHA256 by which a receiver that knows the
 * secret verifies the sender, the body and the time. The key is the text of the secret, as shown.
 */
export function signatureOf({ secret, timestamp, body }: SignedMessage): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}
