import type { Happening, TokenId } from '@heirloom/core'

/** What happened, in a word. */
export type Kind = Happening['kind']

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

/** How far an address has been told of events. */
export type Position = {
  /** The last event that it was told of or that did not concern it; absent for the beginning. */
  readonly event: string | undefined
  /** The block from which it was told, since that event, that events no longer stand. */
  readonly undone: bigint | undefined
}
