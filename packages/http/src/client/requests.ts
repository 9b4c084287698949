import type { Static, TObject, TOptional, TSchema } from '@sinclair/typebox'
import type {
  ActivityParameters,
  FacetsParameters,
  ListingsParameters,
  PageParameters,
  TokensParameters,
} from '../api/schemas/catalogue-queries.ts'
import type { EventsParameters } from '../api/schemas/event-schemas.ts'
import type { ForkBody, ListBody, RentBody, RoyaltyBody } from '../api/schemas/market-schemas.ts'
import type { CardBody, SnapshotBody } from '../api/schemas/memory-schemas.ts'
import type { ReadonlyStatic } from '../api/schemas/schema-parts.ts'
import type { Event } from './responses.ts'

/** The id of a token, such as `1n`, `1` or `'1'`. */
export type TokenIdInput = bigint | number | string
/** An amount in wei, such as `10n ** 15n` or `'1000000000000000'`. */
export type AmountInput = bigint | string

/**
 * The input type of a schema: ids and amounts may be numbers of JavaScript, and optional members may
 * be `undefined`.
 */
type InputOf<Schema extends TObject> = {
  readonly [name in keyof Static<Schema>]:
    | InputValue<name, Static<Schema>[name]>
    | (Schema['properties'][name & string] extends TOptional<TSchema> ? undefined : never)
}

type InputValue<name, T> = name extends 'tokenId' | 'parent' | 'parentTokenId' | 'family' | 'token'
  ? TokenIdInput
  : name extends `${string}${'P' | 'p'}rice${string}` | 'amount'
    ? AmountInput
    : name extends 'limit'
      ? number
      : name extends 'dollars'
        ? { readonly [price in keyof T]: InputValue<price, T[price]> }
        : T

/** The filters and the order of a search for listings. */
export type ListingsQuery = Omit<InputOf<typeof ListingsParameters>, 'offer'> & {
  /** The offers that a listing must all have. */
  readonly offer?: readonly ('sale' | 'rent' | 'fork')[] | undefined
}
/** The filters of listings to count. */
export type FacetsQuery = Omit<InputOf<typeof FacetsParameters>, 'offer'> &
  Pick<ListingsQuery, 'offer'>
/** The filters of a search for tokens. */
export type MemoriesQuery = InputOf<typeof TokensParameters>
/** The account, the token, the kinds and the page of the activity. */
export type ActivityQuery = Omit<InputOf<typeof ActivityParameters>, 'kind'> &
  Pick<EventsQuery, 'kind'>
/** The start and the size of a page. */
export type PageQuery = InputOf<typeof PageParameters>
/** The value that an outline describes, and its extent. */
export type OutlineQuery = {
  /** The JSON Pointer (RFC 6901) of the value; the whole document when absent. */
  readonly pointer?: string | undefined
  /** The levels below the value, 0 to 8; 2 when absent. */
  readonly depth?: number | undefined
  /** The most members of each object or array, 1 to 100; 20 when absent. */
  readonly width?: number | undefined
  /** The number of the first member: 0, or `next` of an earlier outline. */
  readonly from?: number | undefined
}
/** The extent of a selection inside a memory. */
export type SelectInQuery = {
  /** The most matches, 1 to 100; 20 when absent. */
  readonly limit?: number | undefined
  /** The place to go on from: `next` of an earlier answer. */
  readonly after?: string | undefined
}
/** The extent of a search inside a memory. */
export type SearchInQuery = SelectInQuery & {
  /**
   * The kind of a match: each occurrence of the text when absent; an item that answers it as a
   * question, the best first; or a place, which is a string value with the text, or a member below
   * `data` or `metadata` and outside of lists whose name is the text.
   */
  readonly each?: 'item' | 'place' | undefined
}
/** The filters and the start of an event stream. */
export type EventsQuery = Omit<InputOf<typeof EventsParameters>, 'kind'> & {
  /** The kinds of events; all when absent. */
  readonly kind?: readonly Event['kind'][] | undefined
}

/** The address of the account that receives: 0x and 40 hex digits. */
export type Recipient = `0x${string}`

/** The options of a snapshot. */
export type SnapshotOptions = {
  /** The public description of the memory; it cannot be changed or removed. */
  readonly card?: ReadonlyStatic<typeof CardBody> | undefined
  /** The token that this memory was derived from. */
  readonly parentTokenId?: TokenIdInput | undefined
  /** The owner of the token; the agent wallet when absent, the only owner that `list` works for. */
  readonly recipient?: Recipient | undefined
  /** The salt of a memory that was sealed for other contracts, so that its content hash stays. */
  readonly salt?: `0x${string}` | undefined
  /**
   * Whether the account has read the version before this one, and accepts it as its own although
   * somebody else saved it, with all before it. A name then needs the version that was seen.
   */
  readonly accept?: boolean | undefined
}

/** A memory as an object, which the client encodes as JSON. */
export type MemoryObject<Data extends object = object> = {
  /** The state of the agent, any JSON object. */
  readonly data: Data
  /** The description of the state, with any further members. */
  readonly metadata: ReadonlyStatic<typeof SnapshotBody>['metadata'] & {
    readonly [member: string]: unknown
  }
}

/** A memory as the exact JSON text `{"data":…,"metadata":…}`, which is sent unchanged. */
export type MemoryText = { readonly document: string | Uint8Array }

/** A memory as an object or as text. */
export type SnapshotContent<Data extends object = object> = MemoryObject<Data> | MemoryText

/** The memory to snapshot, and its options. */
export type SnapshotInput = SnapshotContent & SnapshotOptions

/** The terms to offer a token for; a price of 0 disables that offer. */
export type ListInput = InputOf<typeof ListBody>

/** The recipient and the highest total price of a purchase. */
export type AcquireInput = {
  /** The recipient; the account of the client when absent, or else the agent wallet. */
  readonly recipient?: Recipient | undefined
  /** The highest total price to pay, in wei. */
  readonly maxPrice?: AmountInput | undefined
}

/** The recipient of a fork, its highest price, and the highest royalties it may owe. */
export type ForkInput = AcquireInput & Pick<InputOf<typeof ForkBody>, 'maxRoyaltyBps'>

/** The length of a rental, its recipient and its highest price. */
export type RentInput = AcquireInput & Pick<ReadonlyStatic<typeof RentBody>, 'durationDays'>

/** The royalty to pay to the creator of a token. */
export type RoyaltyInput = InputOf<typeof RoyaltyBody>
