import {
  adoptTransactions,
  lastSettled,
  nextNonceOf,
  type SettledTransaction,
} from '@heirloom/adapters/internal/job-queries'
import type { JobStore } from '@heirloom/adapters/job-store'
import { Failure, type Hex } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { readInstallation } from './installation.ts'
import { jobFile } from './open-job-store.ts'
import {
  countFounding,
  countTransactions,
  everything,
  type Nonces,
  type RpcChain,
  readBlock,
  type SpentOnDay,
  spentByNonces,
  spentInBlocks,
} from './spent-on-chain.ts'

/** The wallet of a server on its chain, and the name of its jobs. */
type Wallet = { readonly address: Hex; readonly lane: string }

export declare namespace compareJobs {
  type Input = {
    readonly store: Pick<JobStore, 'db' | 'commit'>
    readonly chain: RpcChain
    readonly wallet: Wallet
    /** The name of the place of the jobs, for failures. */
    readonly place: string
  }
}

/**
 * Compares the jobs of the wallet with an embedded chain before anything is written. Transactions of
 * the wallet that the jobs do not know are counted as spent today, in every name; returns their
 * number. What else the jobs forgot, such as idempotency keys, is lost.
 *
 * @throws `folder/unusable` if the chain lacks a transaction that the jobs have seen
 */
export async function compareJobs(input: compareJobs.Input): Promise<number> {
  const { store, chain, wallet, place } = input
  const seen = await lastSettled(store, wallet.lane)
  if (seen !== undefined) await requireTransaction(chain, seen, place)
  // The wallet made its contracts before there were jobs.
  const countFirst = () => countFounding(chain, wallet.address)
  const found = await adoptUnknown(input, { countFirst, spentSince: spentInBlocks })
  return found?.transactions ?? 0
}

type RemoteInput = Omit<compareJobs.Input, 'wallet' | 'place'> & {
  readonly wallet: Pick<Wallet, 'address'>
  /** Whether this is the first start of the data folder, so that there may never have been jobs. */
  readonly isNew: boolean
}

/**
 * Counts transactions of the wallet that the jobs do not know as `compareJobs` does, on a chain
 * elsewhere. Where nodes cannot tell what they cost, as much as there is counts as spent today, but
 * for a new folder, whose wallet may have been used for other things.
 *
 * @throws `ledger/unavailable`
 */
export async function adoptRemoteTransactions({
  store,
  chain,
  wallet: { address },
  isNew,
}: RemoteInput): Promise<number> {
  try {
    const [chainId, genesis] = await Promise.all([
      chain.request({ method: 'eth_chainId' }),
      readBlock(chain, 0),
    ])
    const lane = `${Number(chainId)}:${genesis?.hash}:${address.toLowerCase()}`
    const spentSince: Counting['spentSince'] = async (...since) => {
      const found = await spentByNonces(...since)
      return isNew && found.spent === everything ? { ...found, spent: 0n } : found
    }
    const input = { store, chain, wallet: { address, lane } }
    const found = await adoptUnknown(input, { countFirst: async () => 0, spentSince })
    // Without a single job nothing tells writes of other days from what deployed the contracts.
    return (found?.hadJobs ? found.transactions : found?.writes) ?? 0
  } catch (cause) {
    throw new Failure('ledger/unavailable', { operation: 'eth_getTransactionCount' }, { cause })
  }
}

type Counting = {
  /** Returns the nonces that a wallet without any job may have used. */
  readonly countFirst: () => Promise<number>
  readonly spentSince: (chain: RpcChain, address: Hex, nonces: Nonces) => Promise<SpentOnDay>
}

async function adoptUnknown(
  { store, chain, wallet: { address, lane } }: Omit<compareJobs.Input, 'place'>,
  { countFirst, spentSince }: Counting,
) {
  const stored = await nextNonceOf(store, lane)
  const next = await countTransactions(chain, address)
  const known = stored ?? (next === 0 ? 0 : await countFirst())
  if (next <= known) return undefined
  const { day, spent, writes } = await spentSince(chain, address, { known, next })
  await adoptTransactions(store, { lane, known: stored ?? 0, next, day, spent })
  return { transactions: next - known, writes, hadJobs: stored !== undefined }
}

type Parts = {
  readonly folder: string
  readonly store: () => Promise<compareJobs.Input['store']>
  /** The wallets of the server and of its tenants. */
  readonly wallets: readonly { readonly address: Hex }[]
}

/** Returns the comparison for a server that opens its chain, and what it found. */
export function jobsComparison(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  { folder, store, wallets }: Parts,
) {
  const place = databaseUrl === undefined ? jobFile : 'DATABASE_URL'
  let unknown = 0
  return {
    /** Returns the number of transactions of the wallets that their jobs did not know. */
    unknown: () => unknown,
    /** Compares the jobs of each wallet; `lane` is the name of those of one. */
    compare: async (chain: RpcChain, lane: string): Promise<void> => {
      const ofChain = lane.slice(0, lane.lastIndexOf(':'))
      for (const { address } of wallets) {
        const wallet = { address, lane: `${ofChain}:${address.toLowerCase()}` }
        unknown += await compareJobs({ store: await store(), chain, wallet, place })
      }
    },
    /** Does the same for the nodes of a chain elsewhere, absent for the embedded one, and returns `unknown`. */
    compareRemote: async (chain: RpcChain | undefined): Promise<number> => {
      if (chain === undefined) return unknown
      const isNew = readInstallation(folder) === undefined
      for (const wallet of wallets) {
        unknown += await adoptRemoteTransactions({ store: await store(), chain, wallet, isNew })
      }
      return unknown
    },
  }
}

/** Logs, once the chain is ready, that the jobs are older than the chain. */
export async function warnOfOlderJobs(
  log: Pick<FastifyBaseLogger, 'warn'>,
  ready: Promise<void>,
  unknown: () => number,
): Promise<void> {
  await ready
  const transactions = unknown()
  if (transactions === 0) return
  log.warn(
    { transactions },
    'the jobs are older than the chain: the idempotency keys and webhooks of these transactions are forgotten, and a repeated request would happen again. What they cost today counts against every budget. Restore the jobs of the newest backup',
  )
}

async function requireTransaction(
  chain: RpcChain,
  seen: SettledTransaction,
  place: string,
): Promise<void> {
  const block = await readBlock(chain, seen.number)
  // A repair of the chain keeps the transactions of the wallet, and changes the hashes of the blocks.
  const hashes = [seen.hash, ...seen.hashes]
  const found = block && [block.hash, ...block.transactions.map(({ hash }) => hash)]
  if (found?.some((hash) => hashes.includes(hash))) return
  const problem = `it ${block === undefined ? `ends before block ${seen.number}` : `has another block ${seen.number}`}, which the jobs of ${place} have seen: one of them is older than the other, or they went on apart from a common copy; restore both from one backup`
  throw new Failure('folder/unusable', { folder: 'The embedded chain', problem })
}
