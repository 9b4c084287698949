import { constants, getPriority, setPriority } from 'node:os'
import { readMembers } from '@heirloom/core'
import { handleJobs, type JobResult } from '../platform/worker.ts'
import type { CryptoWorker } from './crypto-worker.ts'
import { openPieces, sealPieces } from './seal-pieces.ts'
import { secretboxNamed } from './secretbox.ts'
import { sumOf } from './sum-of.ts'

const { PRIORITY_BELOW_NORMAL: lowPriority } = constants.priority

// Jobs here take long, so the event loop of the main thread goes first. Only Linux has a priority for
// each thread; elsewhere the whole process would be slowed down, and could not undo it.
if (process.platform === 'linux' && getPriority() < lowPriority) setPriority(lowPriority)

type Pieces = AsyncIterable<Uint8Array>

handleJobs<CryptoWorker.Job, CryptoWorker.Answer>((job, pieces) =>
  job.kind === 'read' ? read(job) : sealOrOpen(job, pieces),
)

async function read({
  bytes,
  heading,
}: CryptoWorker.Reading): Promise<JobResult<CryptoWorker.Answer>> {
  const members = [...readMembers(bytes)].map(([name, text]) => {
    const start = text.byteOffset - bytes.byteOffset
    return [name, start, start + text.length] as const
  })
  return { answer: { bytes, members, sum: sumOf(heading, bytes) }, moved: [bytes.buffer] }
}

async function sealOrOpen(
  { kind, key, ...job }: CryptoWorker.Sealing,
  pieces: Pieces,
): Promise<JobResult<CryptoWorker.Answer>> {
  const stream = { ...job, secretbox: secretboxNamed(job.secretbox), key }
  const perform = kind === 'seal' ? sealPieces : openPieces
  try {
    const answer = await perform({ ...job, stream }, pieces)
    return { answer, moved: answer === undefined ? [] : [answer.bytes.buffer] }
  } finally {
    key.fill(0)
  }
}
