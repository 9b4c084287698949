import type { Static, TSchema } from '@sinclair/typebox'
import type { CardBody } from '../api/card-body.ts'
import type { ListingsParameters, pageQuery, TokensParameters } from '../api/catalogue-queries.ts'
import type { EventsParameters } from '../api/event-schemas.ts'
import type { ForkBody, ListBody, RentBody, RoyaltyBody, SnapshotBody } from '../api/schemas.ts'
import type { Event, Told } from './responses.ts'

/** The number of a token. */
export type TokenIdInput = bigint | number | string
/** An amount in wei. */
export type AmountInput = bigint | string

/** Whatever the schemas know as decimal strings may be given as a number of JavaScript's own. */
type Asked<Schema extends TSchema> = {
  readonly [name in keyof Static<Schema>]: Spoken<name, Static<Schema>[name]>
}

type Spoken<name, T> = name extends 'tokenId' | 'parent' | 'parentTokenId'
  ? TokenIdInput | Extract<T, undefined>
  : name extends `${string}${'P' | 'p'}rice${string}` | 'amount'
    ? AmountInput | Extract<T, undefined>
    : name extends 'limit'
      ? number | undefined
      : T | undefined

/** What is asked for listings by. */
export type ListingsQuery = Omit<Asked<typeof ListingsParameters>, 'offer'> & {
  /** Every way in which it must be offered. */
  readonly offer?: readonly ('sale' | 'rent' | 'fork')[] | undefined
}
/** What is asked for memories by. */
export type MemoriesQuery = Asked<typeof TokensParameters>
/** Where a page begins, and how long it is at most. */
export type PageQuery = {
  readonly [name in keyof typeof pageQuery]?: Spoken<name, string>
}
/** Which events are listened to. */
export type EventsQuery = Omit<Asked<typeof EventsParameters>, 'kind'> & {
  /** The kinds to tell of; all of them when absent. */
  readonly kind?: readonly Event['kind'][] | undefined
}

/** Who receives; an account's address. */
export type Recipient = `0x${string}`

/** What comes with a memory that is snapshot. */
type Beside = {
  /** What everybody may see of it, for ever. */
  readonly card?: Told<typeof CardBody> | undefined
  /** The token that this memory grew from. */
  readonly parentTokenId?: TokenIdInput | undefined
  /** Who owns the token; the server's wallet when absent, which alone can list it. */
  readonly recipient?: Recipient | undefined
}

/** A memory as an object, which is written as JSON once. */
export type MemoryObject = {
  readonly data: object
  readonly metadata: Told<typeof SnapshotBody>['metadata'] & { readonly [member: string]: unknown }
}

/** A memory as the exact JSON text `{"data":…,"metadata":…}`, of which no byte is changed. */
export type MemoryText = { readonly document: string | Uint8Array }

/** A memory in either form. */
export type SnapshotContent = MemoryObject | MemoryText

/** What is snapshot. */
export type SnapshotInput = SnapshotContent & Beside

/** What a token is offered for; a price of 0 means not that way. */
export type ListInput = Asked<typeof ListBody>

/** For whom something is acquired, and for how much at most. */
export type AcquireInput = {
  /** Who receives; the client's account when absent, or the server's wallet where it has none. */
  readonly recipient?: Recipient | undefined
  /** The most that may be paid for all of it. */
  readonly maxPrice?: AmountInput | undefined
}

/** For whom a token is forked, for how much, and what the fork may owe. */
export type ForkInput = AcquireInput & Pick<Told<typeof ForkBody>, 'maxRoyaltyBps'>

/** For how long, for whom and for how much a token is rented. */
export type RentInput = AcquireInput & Pick<Told<typeof RentBody>, 'durationDays'>

/** What is paid to a token's creator. */
export type RoyaltyInput = Asked<typeof RoyaltyBody>
