import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { hasJobFor } from '@heirloom/adapters/internal/job-queries'
import { type MintedToken, mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import { type PackNotes, packNotes, sealingInParts } from '@heirloom/adapters/internal/pack-notes'
import { hasSealFor } from '@heirloom/adapters/internal/seal-notes'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  type Account,
  account,
  type Cipher,
  type Digest,
  Failure,
  isFailure,
  linkOf,
  type OpenBlobStore,
  type Registry,
  type Seal,
  sameAccount,
  sameContext,
  type TokenId,
} from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { logSweepFailure } from '../../observability/log-events.ts'
import type { OpenChain } from '../open-chain.ts'
import { type Collected, collectPacks, packSweep } from './collect-packs.ts'
import { type PackKeeper, packKeeper } from './pack-keeper.ts'
import { packsOf } from './packs-of.ts'

export declare namespace mintedBy {
  type Parts = {
    readonly catalogue: Pick<SqlCatalogue, 'caughtUp' | 'tokens'>
    /** Returns the tokens after a token as the head of the chain has them. */
    readonly minted: (after: TokenId | undefined) => AsyncIterable<MintedToken>
  }
}

/** The longest wait for the catalogue, in milliseconds. */
const catchUpLimit = 30_000

/**
 * Returns the digests of all tokens that a creator minted. A licensed fork is none: its payer chooses
 * its creator, and its source has the same digest. The catalogue must have read the head of the chain,
 * and the tokens that it does not show yet are read from the chain.
 *
 * @throws `ledger/unavailable` while the catalogue is far behind, and the failures of both
 */
export async function mintedBy(
  { catalogue, minted }: mintedBy.Parts,
  creator: Account,
  closing: AbortSignal,
): Promise<ReadonlySet<Digest>> {
  const signal = AbortSignal.any([AbortSignal.timeout(catchUpLimit), closing])
  await catalogue.caughtUp(signal)
  if (signal.aborted) throw new Failure('ledger/unavailable', { operation: 'read all tokens' })
  const newest = (await catalogue.tokens({ limit: 1 })).items[0]?.tokenId
  const digests = new Set(await shownOf(catalogue, creator))
  for await (const token of minted(newest)) {
    if (!token.isFork && sameAccount(token.creator, creator)) digests.add(token.digest)
  }
  return digests
}

/** Returns the digests of the tokens that the catalogue shows. */
async function shownOf(
  catalogue: Pick<SqlCatalogue, 'tokens'>,
  creator: Account,
): Promise<readonly Digest[]> {
  const digests: Digest[] = []
  for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
    const { items, next } = await catalogue.tokens({ creator, limit: 100, after })
    const minted = items.filter((token) => linkOf(token) !== 'fork')
    digests.push(...minted.map(({ digest }) => digest))
    after = next
  }
  return digests
}

/** The packs of a server. */
export type Packs = {
  readonly notes: PackNotes
  readonly keeper: PackKeeper
  /** Reports whether a long memory that is sealed now is sealed in parts. */
  readonly isInParts: () => boolean
  /** Notes the packs of a root that is stored here, if a lost database or a migration left no note. */
  readonly adopt: (root: Digest, head: Uint8Array) => Promise<void>
  /** Starts to remove the packs that no version needs; registers the end of it. */
  readonly startSweeps: (sweeps: Sweeps, resources: AsyncDisposableStack) => void
}

type Sweeps = {
  readonly catalogue: SqlCatalogue
  readonly observe: (collected: Collected) => void
  readonly logger: () => FastifyBaseLogger | undefined
}

export declare namespace openPacks {
  type Input = {
    readonly config: Pick<Config, 'sealInParts'>
    readonly chain: Pick<OpenChain, 'source' | 'chainId' | 'contracts'>
    readonly store: JobStore
    readonly blobStore: OpenBlobStore
    readonly inspect: Cipher['inspect']
    readonly wallets: readonly { readonly address: string }[]
    /** Finds the roots that were erased; there are none when absent. */
    readonly erasures?: { readonly find: (root: Digest) => unknown } | undefined
    readonly onTrouble: (error: unknown) => void
  }
}

/** Opens the notes on packs, and what stores and removes packs by them. */
export async function openPacks({
  config,
  chain,
  store,
  blobStore,
  inspect,
  wallets,
  erasures,
  onTrouble,
}: openPacks.Input): Promise<Packs> {
  const { source, chainId, contracts } = chain
  const registry = { chainId, address: account(contracts.registry) }
  const notes = await packNotes(store, registry)
  const here = new Set<Digest>()
  const minted = (after: Parameters<typeof mintedTokens>[0]['after']) =>
    mintedTokens({ chain: source, contracts, after })
  const stored = { notes, blobStore, inspect, here }
  return {
    notes,
    isInParts: await sealingInParts(store, config.sealInParts),
    keeper: packKeeper({ ...stored, packsOf, onTrouble }),
    adopt: (root, head) => adoptPacks({ notes, inspect, registry }, root, head),
    startSweeps: ({ catalogue, observe, logger }, resources) => {
      const parts = {
        ...stored,
        removed: new Map<Digest, number>(),
        isErased: (root: Digest) => erasures?.find(root) !== undefined,
        owners: wallets.map(({ address }) => account(address)),
        isNeeded: (root: Digest) => isNeeded(store, root),
      }
      const collect = (closing: AbortSignal) => {
        const readMinted = (it: Account) => mintedBy({ catalogue, minted }, it, closing)
        return collectPacks({ ...parts, mintedBy: readMinted }, closing)
      }
      const onFailure = (error: unknown) => logSweepFailure(logger(), error)
      const sweeps = packSweep({ collect, observe, onTrouble: onFailure, now: notes.now })
      resources.defer(sweeps.close)
    },
  }
}

/** Reports whether a job or a seal that has not ended without a token has a blob with this digest. */
export const isNeeded = async (store: JobStore, digest: Digest): Promise<boolean> =>
  (await hasJobFor(store, digest)) || (await hasSealFor(store, digest))

type Parts = {
  readonly notes: Pick<PackNotes, 'hasRoot' | 'noteRoot' | 'lease'>
  readonly inspect: Cipher['inspect']
  readonly registry: Registry
}

/**
 * Notes the packs of a stored root that has no note. Otherwise they would stay for ever once it is
 * removed: only its head names them.
 */
export async function adoptPacks(
  { notes, inspect, registry }: Parts,
  root: Digest,
  head: Uint8Array,
): Promise<void> {
  const seal = sealOf(inspect, head)
  if (seal === undefined || seal.packs.length === 0 || (await notes.hasRoot(root))) return
  const { packs, context, isAuthentic } = seal
  const { creator } = context
  // Packs that are noted as those of another creator would be removed with no regard to their tokens.
  if (!isAuthentic || !sameContext(context, { registry, creator })) return
  await notes.noteRoot(root, { packs, creator })
  await notes.lease(packs, creator)
}

/** Returns what a head says; `undefined` for other bytes. */
function sealOf(inspect: Cipher['inspect'], head: Uint8Array): Seal | undefined {
  try {
    return inspect(head)
  } catch (error) {
    if (isFailure(error, 'bundle/unreadable')) return undefined
    throw error
  }
}
