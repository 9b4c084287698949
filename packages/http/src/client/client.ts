import type { Account } from './proof/access-proof.ts'
import type { EventsQuery, TokenIdInput } from './requests.ts'
import { type AutoSnapshot, type AutoSnapshotOptions, snapshotting } from './auto-snapshot.ts'
import { downloading, type Memory } from './download.ts'
import { listening } from './events.ts'
import { offeredBinding } from './proof/binding-lookup.ts'
import { type Reads, readsOf } from './reads.ts'
import { type Proof, recordedByServer, recordedOnChain } from './proof/recorded-hash.ts'
import { systemTimers, type Timers } from './transport/timers.ts'
import type { Heard } from './responses.ts'
import { type CallOptions, transport } from './transport/transport.ts'
import { type Writes, writesOf } from './writes.ts'

/** How a server is reached, and as whom. */
export type ClientOptions = {
  /** Where the server is. */
  readonly url: string | URL
  /** Who opens memories and receives what is bought, rented and forked; viem's `LocalAccount` fits. */
  readonly account?: Account | undefined
  /** The key that a server which asks for one takes for writes. */
  readonly apiKey?: string | undefined
  /** What sends requests; the platform's own when absent. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a call that did no harm is tried again; 3 when absent. */
  readonly retries?: number | undefined
  /** What downloads are checked against: a node of the chain, or the server's record when absent. */
  readonly proof?: Proof | undefined
  /** Time and chance; the platform's own when absent. */
  readonly timers?: Timers | undefined
}

/** A server, as calls. Each throws `HeirloomError` and nothing else on purpose. */
export type Client = Reads &
  Writes & {
    /** Opens a memory with the account's signature, and returns it if it is what is recorded. */
    readonly download: (tokenId: TokenIdInput, options?: CallOptions) => Promise<Memory>
    /** Tells what happens, and goes on where it was when the connection breaks. */
    readonly events: (
      query?: EventsQuery,
      options?: Pick<CallOptions, 'signal'>,
    ) => AsyncGenerator<Heard, void, undefined>
    /** Snapshots what `build` returns again and again, each linked to the one before. */
    readonly autoSnapshot: (options: AutoSnapshotOptions) => AutoSnapshot
  }

/** Returns a server as calls. */
export function createClient(options: ClientOptions): Client {
  const { account, proof, timers = systemTimers, retries = 3 } = options
  const way = transport(options)
  // The node is another's; the server's key is none of its business.
  const { fetch } = options
  const recorded =
    proof === undefined ? recordedByServer(way) : recordedOnChain(proof, { fetch, timers, retries })
  const writes = writesOf(way, account)
  const bindingOf = offeredBinding(way, options.url)
  return {
    ...readsOf(way),
    ...writes,
    download: downloading({ transport: way, account, recorded, timers, bindingOf }),
    events: listening({ transport: way, retries, timers }),
    autoSnapshot: snapshotting({ snapshot: writes.snapshot, timers }),
  }
}
