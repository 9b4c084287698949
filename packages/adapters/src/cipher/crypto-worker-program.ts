import { createHash } from 'node:crypto'
import { constants, getPriority, setPriority } from 'node:os'
import { readMembers } from '@heirloom/core'
import type { Bulk } from './crypto-worker.ts'
import { openPieces, sealPieces } from './seal-pieces.ts'
import { secretboxNamed } from './secretbox.ts'
import { type JobResult, handleJobs } from '../platform/worker.ts'

const { PRIORITY_BELOW_NORMAL: below } = constants.priority

// What this worker does takes long, and the event loop answers everybody: it goes first. Elsewhere
// than on Linux that cannot be said of one worker, and nobody may take a lower priority back.
if (process.platform === 'linux' && getPriority() < below) setPriority(below)

type Pieces = AsyncIterable<Uint8Array>

handleJobs<Bulk.Job, Bulk.Answer>((job, pieces) =>
  job.kind === 'read' ? read(job) : sealOrOpen(job, pieces),
)

async function read({ bytes, heading }: Bulk.Reading): Promise<JobResult<Bulk.Answer>> {
  const members = [...readMembers(bytes)].map(([name, text]) => {
    const start = text.byteOffset - bytes.byteOffset
    return [name, start, start + text.length] as const
  })
  const sum = heading && createHash('sha256').update(heading).update(bytes).digest('hex')
  return { answer: { bytes, members, sum }, moved: [bytes.buffer] }
}

async function sealOrOpen(
  { kind, key, ...job }: Bulk.Sealing,
  pieces: Pieces,
): Promise<JobResult<Bulk.Answer>> {
  const stream = { ...job, secretbox: secretboxNamed(job.secretbox), key }
  const perform = kind === 'seal' ? sealPieces : openPieces
  try {
    const answer = await perform({ ...job, stream }, pieces)
    return { answer, moved: answer === undefined ? [] : [answer.bytes.buffer] }
  } finally {
    key.fill(0)
  }
}
