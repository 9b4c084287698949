import type { Account } from '@heirloom/core'
import { handleJobs } from '../../platform/worker.ts'
import { loadSignerHere, type Signed } from '../signatures/signer.ts'

/** Finds signers, but a text that says so ends it first. */
handleJobs<readonly Signed[], readonly (Account | undefined)[]>(async (all) => {
  if (all.some(({ message }) => message === 'die')) process.exit(3)
  const signerOf = await loadSignerHere()
  return { answer: await Promise.all(all.map(signerOf)) }
})
