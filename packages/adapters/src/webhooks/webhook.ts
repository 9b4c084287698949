import type { SubscriberPosition, TokenEvent, TokenId } from '@heirloom/core'

/** What happened, in a word. */
export type Kind = TokenEvent['kind']

/** What an address is to be told. */
export type Wanted = {
  readonly url: string
  /** Absent for every kind. */
  readonly kinds: readonly Kind[] | undefined
  /** Absent for every token. */
  readonly tokenId: TokenId | undefined
}

/** An address that is told of events. */
export type Webhook = Wanted & {
  readonly id: string
  /** The last event that it took. */
  readonly delivered: string | undefined
  /** Why it takes no events at present; absent while all is well. */
  readonly failing: Failing | undefined
}

/** What keeps a webhook from its next event. */
export type Failing = {
  /** How often that event was sent in vain. */
  readonly attempts: number
  /** When it was first sent in vain, and when it will be sent again, in milliseconds since 1970. */
  readonly since: number
  readonly nextAt: number
  readonly problem: string
}

/**
 * How far an address has been told of events: of none after `event`, the last one that it took or
 * that did not concern it, but perhaps of what is `pending`.
 */
export type Position = SubscriberPosition & {
  /** What was sent and not seen to be taken. */
  readonly pending: string | undefined
}
