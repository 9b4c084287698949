import type { Account } from '@heirloom/core'
import { handleJobs } from '../../platform/worker.ts'
import { loadLocalRecovery, type SignedMessage } from '../signatures/signer-recovery.ts'

/** Recovers signers. The message `die` ends the worker first. */
handleJobs<readonly SignedMessage[], readonly (Account | undefined)[]>(async (messages) => {
  if (messages.some(({ message }) => message === 'die')) process.exit(3)
  const recover = await loadLocalRecovery()
  return { answer: await Promise.all(messages.map(recover)) }
})
