import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { pingStore } from '@heirloom/adapters/internal/job-queries'
import { memoize } from '@heirloom/adapters/internal/platform'
import type { JobStore } from '@heirloom/adapters/job-store'
import { chainState, type ViemLedger } from '@heirloom/adapters/ledger'
import { type BlobStore, Failure } from '@heirloom/core'
import { requireFreeDisk } from '../folder-place.ts'
import type { AgentWallet } from '../keys/agent-wallet.ts'
import type { KeyWatch } from '../keys/key-watch.ts'
import type { OpenChain } from '../open-chain.ts'
import type { Readiness } from '../routes/health.ts'

/** The notice that a server is about to stop, so that balancers send it no more requests. */
export type StopNotice = {
  /** Says so, and waits until balancers have seen it. Says nothing where they need no time. */
  readonly give: () => Promise<void>
  /** The check of readiness; absent where no notice is ever given. @throws `service/stopping` */
  readonly check?: () => Promise<void>
}

/** Returns the notice of a server whose balancers need `delay` seconds to see it. */
export function stopNotice(delay: number): StopNotice {
  if (delay === 0) return { give: async () => undefined }
  let isGiven = false
  return {
    give: async () => {
      isGiven = true
      await pause(1000 * delay)
    },
    check: async () => {
      if (isGiven) throw new Failure('service/stopping', {})
    },
  }
}

type Writer = Pick<ViemLedger, 'requireAlone'>

type Parts = {
  readonly notice: Pick<StopNotice, 'check'>
  readonly chain: OpenChain
  readonly blobStore: BlobStore
  readonly store: JobStore
  /** Returns whether the store has lost jobs that it had since the start. */
  readonly forgotten: () => Promise<boolean>
  readonly catalogue: SqlCatalogue
  readonly keys: KeyWatch
  readonly folder: string
  readonly service: AgentWallet['service']
  readonly ledger: Writer
  /** The ledgers of the tenants. */
  readonly tenants: readonly { readonly ledger: Writer }[]
}

/** Returns a readiness check for each part of a server. */
export function readinessChecks({
  notice,
  chain,
  blobStore,
  store,
  forgotten,
  catalogue,
  keys,
  folder,
  service,
  ledger,
  tenants,
}: Parts): Readiness {
  return {
    ...(notice.check && { server: notice.check }),
    chain: async () => {
      if (!chain.isReady()) throw new Failure('ledger/unavailable', { operation: 'eth_chainId' })
      chain.requireFile()
      return chainState(chain.source)
    },
    // The route is open to anyone, and only this check writes to the disk: so it is memoized.
    storage: memoize(storageProbe(blobStore), { resultFor: 1000, failureFor: 1000 }),
    store: async () => {
      await pingStore(store)
      if (await forgotten()) throw olderDatabase()
    },
    disk: () => requireFreeDisk(folder),
    catalogue: catalogueCheck(catalogue),
    keys: keys.requireAll,
    memories: keys.requireMemories,
    // A service may charge for an answer, and anyone may ask for this route.
    ...(service && { keyService: memoize(service.check, { resultFor: 10_000, failureFor: 1000 }) }),
    ...(chain.nodes && {
      wallet: async () => requireAlone([ledger, ...tenants.map((it) => it.ledger)]),
    }),
  }
}

const olderDatabase = (): Failure =>
  new Failure('folder/unusable', {
    folder: 'The database',
    problem:
      'jobs that this server saw done are not in it, so an older copy was put back, and a repeated request happens again; put back the newest copy, or start the servers again to go on without them',
  })

/** Requires that no other program writes with any of the wallets. @throws `wallet/shared` */
function requireAlone(writers: readonly Writer[]): void {
  for (const writer of writers) writer.requireAlone()
}

/**
 * Returns a check that writes, reads and removes a probe. It is the same at each call, so that a
 * store that cannot remove it keeps one at most.
 */
export function storageProbe(blobStore: BlobStore): () => Promise<void> {
  // Random, for servers that share a storage must not remove each other's probe.
  const probe = randomBytes(32)
  return async () => {
    const digest = await blobStore.put(probe)
    try {
      await blobStore.get(digest)
    } finally {
      await blobStore.remove(digest)
    }
  }
}

/** The longest time that a check waits for the catalogue, in milliseconds: it then says what it knows. */
const patience = 500

/**
 * Returns a check that fails until the catalogue has once indexed its chain to the head, and while
 * events of it are in doubt. A new version builds its catalogue anew: until then it would answer with a
 * part of the memories, while the servers that it is to replace know them all. A catalogue that is
 * behind later and goes on reading is no reason.
 */
export function catalogueCheck(
  catalogue: Pick<SqlCatalogue, 'caughtUp' | 'progress'>,
  timeout = () => AbortSignal.timeout(patience),
): () => Promise<unknown> {
  let isIndexed = false
  return async () => {
    // It also looks up cards and seals, which can take longer and hide no memory.
    isIndexed ||= await hasCaughtUp(catalogue, timeout())
    const { block, head, doubt } = await catalogue.progress()
    if (doubt !== undefined) throw new Failure('catalogue/behind', { problem: inWords(doubt) })
    isIndexed ||= block > 0n && block >= head
    if (!isIndexed) throw new Failure('catalogue/unavailable', { operation: 'index' })
  }
}

/** Says which blocks are in doubt, and why. */
const inWords = ({ from, to, reason }: Doubt): string =>
  `blocks ${from} to ${to} are in doubt. ${reason.replace(/\.$/, '')}`

type Doubt = NonNullable<Awaited<ReturnType<SqlCatalogue['progress']>>['doubt']>

/** Returns whether the catalogue caught up before the signal was aborted. */
const hasCaughtUp = (
  catalogue: Pick<SqlCatalogue, 'caughtUp'>,
  signal: AbortSignal,
): Promise<boolean> =>
  catalogue.caughtUp(signal).then(
    () => !signal.aborted,
    // The check of the chain says why.
    () => false,
  )
