import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { pingJobStore } from '@heirloom/adapters/internal/job-queries'
import { memoize } from '@heirloom/adapters/internal/platform'
import type { JobStore } from '@heirloom/adapters/job-store'
import { chainState, type ViemLedger } from '@heirloom/adapters/ledger'
import { type BlobStore, Failure } from '@heirloom/core'
import type { AgentWallet } from '../keys/agent-wallet.ts'
import type { KeyWatch } from '../keys/key-watch.ts'
import type { OpenChain } from '../open-chain.ts'
import type { Readiness } from '../routes/health.ts'
import { catalogueCheck } from './catalogue-check.ts'
import { requireFreeDisk } from './free-disk.ts'
import type { StopNotice } from './stop-notice.ts'
import { storageProbe } from './storage-probe.ts'

type Writer = Pick<ViemLedger, 'requireAlone'>

type Parts = {
  readonly notice: Pick<StopNotice, 'check'>
  readonly chain: OpenChain
  readonly blobStore: BlobStore
  readonly store: JobStore
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
      return chainState(chain.source)
    },
    // The route is open to anyone, and only this check writes to the disk: so it is memoized.
    storage: memoize(storageProbe(blobStore), { resultFor: 1000, failureFor: 1000 }),
    store: () => pingJobStore(store),
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

/** Requires that no other program writes with any of the wallets. @throws `wallet/shared` */
function requireAlone(writers: readonly Writer[]): void {
  for (const writer of writers) writer.requireAlone()
}
