import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import type { Account } from '@heirloom/core'
import { worker } from '../../platform/worker.ts'
import { shared } from './recovery-offload.ts'
import { loadSignerHere, type Signed, type SignerOf } from './signer.ts'

// Where the program was packed, so was the worker's, beside it.
const program = `./recovery-worker-program${extname(import.meta.url)}`

/**
 * The worker that finds signers for all ledgers of this process. It is not the one for large
 * memories, behind which a signature would wait for as long as a large memory takes.
 */
export const signers = worker<readonly Signed[], readonly (Account | undefined)[]>(
  new URL(program, import.meta.url),
)

/** Returns the fastest way to find signers that this machine has, beside this worker if that helps. */
export async function loadSigner(): Promise<SignerOf> {
  const here = await loadSignerHere()
  return availableParallelism() === 1 ? here : shared({ here, beside: signers })
}
