import { type Account, deploymentLookup, findBinding, signedSend } from './access-proof.ts'
import { type AutoSnapshot, type AutoSnapshotOptions, createAutoSnapshot } from './auto-snapshot.ts'
import { createDownload, type Download } from './download.ts'
import { createErase, type Erase } from './erase.ts'
import {
  createEventStream,
  createWatch,
  type EventStream,
  type Watch,
  type WatchOptions,
} from './events.ts'
import { createGrants, type GrantCalls } from './grants.ts'
import { createScans, type Scans } from './memory-scan.ts'
import { createNameCalls, type NameCalls } from './name-calls.ts'
import { createOwnMemory, type MemoryOptions, type NamedMemory } from './named-memory.ts'
import { createParts, type Parts } from './parts.ts'
import { createSetProfile, type SetProfile } from './profiles.ts'
import { createRate, type Rate } from './ratings.ts'
import { createReads, type Reads } from './reads.ts'
import { type Proof, readHashFromChain, readHashFromServer } from './recorded-hash.ts'
import type { Recipient } from './requests.ts'
import type { Given } from './responses.ts'
import { decodeResponse, readWhole } from './transport/decode-response.ts'
import { type Known, refuseUnknown } from './transport/known-members.ts'
import { encodeJson, requestLine } from './transport/request-line.ts'
import { systemTimers, type Timers } from './transport/retries.ts'
import { type CallOptions, createTransport, type Transport } from './transport/transport.ts'
import { createVersions, type Versions } from './versions.ts'
import { createWrite, createWrites, type Writes } from './writes.ts'

/** The options of a client. */
export type ClientOptions = {
  /** The address of the server; it may have a path. */
  readonly url: string | URL
  /**
   * The account that opens memories and receives bought, rented and forked tokens, and the versions
   * that it saves to names. viem's `LocalAccount` has this type.
   */
  readonly account?: Account | undefined
  /** The API key, for a server that requires one. */
  readonly apiKey?: string | undefined
  /** The function that sends requests; the global `fetch` when absent. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The most retries of a call that may safely be repeated; 3 when absent. */
  readonly retries?: number | undefined
  /** The chain node that verifies downloads; when absent, what the server reports of the chain does. */
  readonly proof?: Proof | undefined
  /** The clock, timers and random numbers; those of the platform when absent. */
  readonly timers?: Timers | undefined
}

/** The calls of a server. Each fails with a `HeirloomError`. */
export type Client = Reads &
  Parts &
  Writes &
  Versions &
  GrantCalls &
  Scans & {
    /** Downloads a memory with a signature of the account, and verifies it against the record. */
    readonly download: Download
    /**
     * Erases the memory of a token for ever, as its owner: the account, which signs, or the agent
     * wallet of the server. The token stays.
     */
    readonly erase: Erase
    /** Rates a token: the account bought, rented or forked it for money. */
    readonly rate: Rate
    /** Describes the account by a name, a sentence and a link; it owns or made a token here. */
    readonly setProfile: SetProfile
    /** Yields events as they happen, and resumes after a lost connection without missing any. */
    readonly events: EventStream
    /** Calls a function with each event, in order and once, until it is stopped. */
    readonly watch: (options: WatchOptions) => Watch
    /**
     * Returns the private names that the account may open, its own and those of the API key or the
     * operator, with their last versions; all of these without an account.
     */
    readonly names: NameCalls['names']
    /** Returns the calls of a private name, such as `ada` or `ada/trading`. */
    readonly memory: <Data extends object = object>(
      name: string,
      options?: MemoryOptions,
    ) => NamedMemory<Data>
    /** Gives test dollars of the embedded chain to an account: play money, worth nothing. */
    readonly faucet: Faucet
    /** Snapshots the result of `build` at an interval; each snapshot has the last one as parent. */
    readonly autoSnapshot: (options: AutoSnapshotOptions) => AutoSnapshot
  }

/** Creates a client of a server. */
export function createClient(options: ClientOptions): Client {
  refuseUnknown<ClientOptions>('createClient', options, knownOptions)
  const { account, proof, timers = systemTimers, retries = 3 } = options
  const transport = createTransport(options)
  // The API key must not be sent to the chain node.
  const { fetch } = options
  const readRecordedHash =
    proof === undefined
      ? readHashFromServer(transport)
      : readHashFromChain(proof, { fetch, timers, retries })
  const signer = { transport, url: options.url, account, timers }
  const { origin } = new URL(options.url)
  const readDeployment = deploymentLookup(transport)
  const send = signedSend({ ...signer, origin, readDeployment })
  const write = createWrite(send)
  const writes = createWrites(transport, { account, save: write })
  const readBinding = async () => {
    const deployment = await readDeployment()
    return deployment && findBinding(deployment, origin)
  }
  const reads = createReads(transport)
  const prover = { ...signer, readBinding }
  const scans = createScans(prover)
  const downloading = { ...prover, readRecordedHash, scans }
  const download = createDownload(downloading)
  const events = createEventStream({ ...signer, retries })
  const calls = createNameCalls(send)
  const saving = { account, calls, write, readDeployment: reads.deployment }
  return {
    ...reads,
    ...writes,
    ...createVersions({ download, lineage: reads.lineage }),
    ...createParts(prover),
    ...scans,
    ...createGrants({ ...downloading, ...saving, send }),
    download,
    erase: createErase(signer),
    rate: createRate(signer),
    setProfile: createSetProfile(signer),
    names: calls.names,
    memory: createOwnMemory({ ...saving, download, isKeyless: options.apiKey === undefined }),
    faucet: createFaucet(transport),
    events,
    watch: createWatch(events),
    autoSnapshot: createAutoSnapshot({ snapshot: writes.snapshot, timers }),
  }
}

const knownOptions: Known<ClientOptions> = {
  url: 1,
  account: 1,
  apiKey: 1,
  fetch: 1,
  retries: 1,
  proof: { rpcUrl: 1, registry: 1 },
  timers: 1,
}

/** Gives test dollars of the embedded chain to an account. */
type Faucet = (address: Recipient, options?: Pick<CallOptions, 'signal'>) => Promise<Given>

/** Creates the call for test dollars. It is not repeated: each call is another gift. */
const createFaucet =
  ({ open }: Transport): Faucet =>
  async (address, options = {}) => {
    const body = encodeJson({ address })
    const response = await open({ ...requestLine('faucet'), body, options })
    return decodeResponse<Given>({ status: response.status, bytes: await readWhole(response) })
  }
