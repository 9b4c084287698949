import { extname } from 'node:path'
import { thread } from '../platform/worker.ts'
import type { openEvm } from './evm.ts'

/** What is asked of one of the chains in the thread, by the number that it was opened with. */
export type EvmJob = { readonly chain: number } & (
  | { readonly kind: 'open'; readonly options: openEvm.Options }
  /** A body of JSON-RPC, answered by another. */
  | { readonly kind: 'ask'; readonly text: string }
  | { readonly kind: 'close' }
)

// Where the program was packed, so was the thread's, beside it.
const program = `./evm-worker-program${extname(import.meta.url)}`

/**
 * The thread of all EVMs of this process. For each transaction and call an EVM asks the event loop
 * that it was made in, and waits: in one of its own it never waits long. A chain is lost with the
 * thread, so it stays up, even idle.
 */
export const evms = thread<EvmJob, string>(
  new URL(program, import.meta.url),
  Number.POSITIVE_INFINITY,
)

/** Starts the thread of the embedded chain, which then loads while this one loads all the rest. */
export const startEvms = (): void => evms.start()
