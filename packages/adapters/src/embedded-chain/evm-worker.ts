import { extname } from 'node:path'
import type { Hex } from 'viem'
import { worker } from '../platform/worker.ts'

/** The options of a fresh chain. */
export type ChainOptions = {
  readonly chainId: number
  /** Seconds since 1970. */
  readonly genesisTime: number
  readonly accounts: readonly { readonly address: Hex; readonly balance: bigint }[]
  /** The private key of the account for which it signs `eth_sendTransaction`. */
  readonly key?: Hex | undefined
}

/** A job for one of the chains in the worker, which is identified by the number it was opened with. */
export type EvmJob = { readonly chain: number } & (
  | { readonly kind: 'open'; readonly options: ChainOptions }
  /** A JSON-RPC body; the answer is the body of the response. */
  | { readonly kind: 'ask'; readonly text: string }
  | { readonly kind: 'close' }
)

// The allocator of the EVM (mimalloc) reads these when it is loaded. Otherwise it keeps up to a gigabyte of
// what one execution took, until much else is executed, and takes pages of 2 MiB that are never full.
process.env.MIMALLOC_PURGE_DELAY ??= '0'
process.env.MIMALLOC_ALLOW_THP ??= '0'

// A packed program has its worker's program packed beside it.
const program = `./evm-worker-program${extname(import.meta.url)}`

/**
 * The worker that runs all EVMs of this process. For each transaction and call, an EVM waits for the
 * event loop of its thread, and in a worker it never waits long. A chain is lost when the worker
 * ends, so the worker never ends for being idle.
 */
export const evmWorker = worker<EvmJob, string>(
  new URL(program, import.meta.url),
  Number.POSITIVE_INFINITY,
)

/** Starts the worker of the embedded chain, so that it loads while the main thread loads the rest. */
export const startEvmWorker = (): void => evmWorker.start()
