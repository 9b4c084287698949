import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import type { Account } from '@heirloom/core'
import { worker } from '../../platform/worker.ts'
import { loadLocalRecovery, type SignedMessage, type SignerRecovery } from './signer-recovery.ts'
import { workerOffload } from './worker-offload.ts'

// In a bundle, the worker's program is beside this one with the same extension.
const program = `./signature-recovery-worker-program${extname(import.meta.url)}`

/**
 * The worker that recovers signers for all ledgers of this process. The crypto and JSON worker is
 * another one, so that a signature does not wait for a large memory.
 */
export const signatureRecoveryWorker = worker<
  readonly SignedMessage[],
  readonly (Account | undefined)[]
>(new URL(program, import.meta.url))

/** Loads the fastest signer recovery; it uses a worker if there are several processors. */
export async function loadSignerRecovery(): Promise<SignerRecovery> {
  const local = await loadLocalRecovery()
  return availableParallelism() === 1
    ? local
    : workerOffload({ local, remote: signatureRecoveryWorker })
}
