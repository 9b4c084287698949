import type { Account } from '@heirloom/core'
import { handleJobs } from '../../platform/worker.ts'
import { loadLocalRecovery, type SignedMessage } from './signer-recovery.ts'

const loading = loadLocalRecovery()

handleJobs<readonly SignedMessage[], readonly (Account | undefined)[]>(async (messages) => {
  const recover = await loading
  return { answer: await Promise.all(messages.map(recover)) }
})
