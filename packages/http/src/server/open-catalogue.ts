import { join } from 'node:path'
import { type CatalogueEvent, type SqlCatalogue, sqlCatalogue } from '@heirloom/adapters/catalogue'
import { naclCipher, type SealingKeys } from '@heirloom/adapters/cipher'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  type WebhookEvent,
  type Webhooks,
  type WebhookTables,
  webhooks,
} from '@heirloom/adapters/webhooks'
import {
  type BlobStore,
  type Cipher,
  type Erasures,
  Failure,
  isFailure,
  maxCardBytes,
  type OpenBlobStore,
} from '@heirloom/core'
import { type Config, largestBody } from '../config/config.ts'
import { serialQueue } from './bounds/turns.ts'
import type { OpenChain } from './open-chain.ts'
import { storeRefusal } from './open-job-store.ts'
import { printDelivery } from './operations/print-token.ts'

/** The file in the data folder that holds the catalogue, where no database is configured. */
export const catalogueFile = 'catalogue.sqlite'

type Parts = {
  readonly config: Config
  readonly folder: string
  readonly chain: OpenChain
  readonly observe: (event: CatalogueEvent) => void
}

/** The store of bundles and cards, and the keys that bundles are sealed under. */
type Memories = {
  readonly blobStore: Pick<OpenBlobStore, 'get' | 'local'>
  readonly keys: SealingKeys
  readonly erasures: Pick<Erasures, 'find'>
}

/**
 * Opens the catalogue of a chain, in the configured database or in a file of the data folder.
 *
 * @throws `config/invalid`, `folder/unusable`, `ledger/unavailable`
 */
export async function openCatalogue(
  { config, folder, chain, observe }: Parts,
  { blobStore, keys, erasures }: Memories,
): Promise<SqlCatalogue> {
  const cipher = naclCipher({ keys, documentLimit: largestBody })
  const { databaseUrl, confirmations, catalogueFrom: firstBlock } = config
  try {
    return await sqlCatalogue({
      chain: chain.source,
      contracts: chain.contracts,
      origin: chain.origin,
      db: databaseUrl === undefined ? join(folder, catalogueFile) : new URL(databaseUrl),
      confirmations,
      ...(firstBlock !== undefined && { firstBlock }),
      cards: (name) => blobStore.get(name, { atMost: maxCardBytes }),
      // A stranger can mint any digest, so peers are not searched for it.
      seals: sealReader(blobStore.local, cipher),
      isErased: (name) => erasures.find(name) !== undefined,
      observe,
    })
  } catch (cause) {
    if (!isFailure(cause, 'catalogue/unavailable')) throw cause
    const store = { databaseUrl, folder, file: catalogueFile, what: 'its catalogue' }
    throw storeRefusal(store, cause.cause)
  }
}

/** The parts that webhooks need. */
type HookParts = {
  readonly config: Pick<Config, 'webhooksToPrivate'>
  readonly chain: Pick<OpenChain, 'chainId' | 'contracts'>
  readonly store: JobStore
  readonly catalogue: SqlCatalogue
  readonly observe: (event: WebhookEvent) => void
}

/** Opens the webhooks of a contract pair; they are stored in the database of the jobs. */
export function openWebhooks({ chain, config, store, ...parts }: HookParts): Promise<Webhooks> {
  const scope = scopeOf(chain)
  return webhooks({
    db: store.db.withTables<WebhookTables>(),
    migrate: store.migrate,
    scope,
    lead: (stop) => store.lead(`webhooks:${scope}`, stop),
    now: store.now,
    print: printDelivery,
    toPrivate: config.webhooksToPrivate,
    ...parts,
  })
}

const scopeOf = ({ chainId, contracts }: HookParts['chain']): string =>
  `${chainId}:${contracts.marketplace.toLowerCase()}`

/**
 * Returns a reader of seals. It inspects one head in a turn of the event loop: the proofs of a head
 * take a millisecond, anybody can write them, and the indexer asks for hundreds of heads at once.
 */
export function sealReader(
  { head }: Pick<BlobStore, 'head'>,
  { inspect }: Pick<Cipher, 'inspect'>,
) {
  const inTurn = serialQueue()
  return async (...[digest]: Parameters<BlobStore['head']>) => {
    const bytes = await head(digest)
    return inTurn(async () => inspect(bytes))
  }
}

/**
 * Waits until the catalogue shows the present head of the chain, less what is not confirmed.
 *
 * @param limit the longest wait, in milliseconds
 * @throws `catalogue/unavailable` after the longest wait, and `ledger/unavailable`
 */
export async function catchUp(
  catalogue: Pick<SqlCatalogue, 'caughtUp'>,
  limit: number,
): Promise<void> {
  const signal = AbortSignal.timeout(limit)
  await catalogue.caughtUp(signal)
  if (signal.aborted) throw new Failure('catalogue/unavailable', { operation: 'catch up' })
}
