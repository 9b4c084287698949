import type { Account } from '@heirloom/core'
import { handleJobs } from '../../platform/worker.ts'
import { loadSignerHere, type Signed } from './signer.ts'

const loaded = loadSignerHere()

handleJobs<readonly Signed[], readonly (Account | undefined)[]>(async (all) => {
  const signerOf = await loaded
  return { answer: await Promise.all(all.map(signerOf)) }
})
