import type { Account } from '@heirloom/core'
import { answering } from '../../platform/worker.ts'
import { loadLocalRecovery, type SignedMessage } from './signer-recovery.ts'

const loading = loadLocalRecovery()

answering<readonly SignedMessage[], readonly (Account | undefined)[]>(async (messages) => {
  const recover = await loading
  return { answer: await Promise.all(messages.map(recover)) }
})
