import type { Account } from '@heirloom/core'
import { answering } from '../../platform/worker.ts'
import { loadSignerHere, type Signed } from './signer-recovery.ts'

const loaded = loadSignerHere()

answering<readonly Signed[], readonly (Account | undefined)[]>(async (all) => {
  const signerOf = await loaded
  return { answer: await Promise.all(all.map(signerOf)) }
})
