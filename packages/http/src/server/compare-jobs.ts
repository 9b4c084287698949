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
import { jobFile } from './open-job-store.ts'

/** The embedded chain, once it is open. */
type Chain = { readonly request: (call: { method: string; params?: unknown }) => Promise<unknown> }

/** The wallet of a server on its chain, and the name of its jobs. */
type Wallet = { readonly address: Hex; readonly lane: string }

export declare namespace compareJobs {
  type Input = {
    readonly store: Pick<JobStore, 'db' | 'commit'>
    readonly chain: Chain
    readonly wallet: Wallet
    /** The name of the place of the jobs, for failures. */
    readonly place: string
  }
}

/**
 * Compares the jobs of the wallet with an embedded chain before anything is written. Transactions of
 * the wallet that the jobs do not know are counted as spent today; returns their number. What else
 * the jobs forgot, such as idempotency keys, is lost.
 *
 * @throws `folder/unusable` if the chain lacks a transaction that the jobs have seen
 */
export async function compareJobs({
  store,
  chain,
  wallet,
  place,
}: compareJobs.Input): Promise<number> {
  const seen = await lastSettled(store, wallet.lane)
  if (seen !== undefined) await requireTransaction(chain, seen, place)
  const known = await nextNonceOf(store, wallet.lane)
  if (known === undefined) return 0
  const params = [wallet.address, 'latest']
  const next = Number(await chain.request({ method: 'eth_getTransactionCount', params }))
  if (next <= known) return 0
  const { day, spent } = await spentToday(chain, wallet.address, known)
  await adoptTransactions(store, { lane: wallet.lane, known, next, day, spent })
  return next - known
}

type Parts = {
  readonly store: () => Promise<compareJobs.Input['store']>
  /** The wallets of the server and of its tenants. */
  readonly wallets: readonly { readonly address: Hex }[]
}

/** Returns the comparison for a server that opens its chain, and what it found. */
export function jobsComparison(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  { store, wallets }: Parts,
) {
  const place = databaseUrl === undefined ? jobFile : 'DATABASE_URL'
  let unknown = 0
  return {
    /** Returns the number of transactions of the wallets that their jobs did not know. */
    unknown: () => unknown,
    /** Compares the jobs of each wallet; `lane` is the name of those of one. */
    compare: async (chain: Chain, lane: string): Promise<void> => {
      const ofChain = lane.slice(0, lane.lastIndexOf(':'))
      for (const { address } of wallets) {
        const wallet = { address, lane: `${ofChain}:${address.toLowerCase()}` }
        unknown += await compareJobs({ store: await store(), chain, wallet, place })
      }
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
    'the jobs are older than the chain: the idempotency keys, budgets of API keys and webhooks of these transactions are forgotten, and a repeated request would happen again. Restore the jobs of the newest backup',
  )
}

async function requireTransaction(
  chain: Chain,
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

type Block = {
  readonly hash: Hex
  readonly timestamp: Hex
  readonly transactions: readonly Transaction[]
}
type Transaction = {
  readonly hash: Hex
  readonly from: Hex
  readonly nonce: Hex
  readonly value: Hex
}

const readBlock = async (chain: Chain, number: number): Promise<Block | undefined> => {
  const params = [`0x${number.toString(16)}`, true]
  const block = await chain.request({ method: 'eth_getBlockByNumber', params })
  return (block ?? undefined) as Block | undefined
}

const secondsPerDay = 86_400

/** Returns what an account paid since a nonce on the day (UTC) of the newest block, in wei. */
async function spentToday(chain: Chain, address: Hex, nonce: number) {
  const newest = Number(await chain.request({ method: 'eth_blockNumber' }))
  const day = dayOf(await readBlock(chain, newest))
  let spent = 0n
  for (let number = newest; number > 0; number--) {
    const block = await readBlock(chain, number)
    const own = (block?.transactions ?? []).filter(({ from }) => isSame(from, address))
    if (dayOf(block) < day || own.some((it) => Number(it.nonce) < nonce)) break
    for (const transaction of own) spent += await costOf(chain, transaction)
  }
  return { day, spent }
}

const dayOf = (block: Block | undefined) =>
  Math.floor(Number(block?.timestamp ?? 0) / secondsPerDay)

const isSame = (one: Hex, other: Hex) => one.toLowerCase() === other.toLowerCase()

async function costOf(chain: Chain, { hash, value }: Transaction): Promise<bigint> {
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const { gasUsed, effectiveGasPrice, status } = receipt as Readonly<Record<string, Hex>>
  const paid = status === '0x1' ? BigInt(value) : 0n
  return BigInt(gasUsed ?? 0) * BigInt(effectiveGasPrice ?? 0) + paid
}
