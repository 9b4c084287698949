import { constants, getPriority, setPriority } from 'node:os'
import { readMembers } from '@heirloom/core'
import { releaseWholeBuffer } from '../platform/release-buffer.ts'
import { handleJobs, type JobResult } from '../platform/worker.ts'
import { commitTo } from './commitment.ts'
import { type CryptoWorker, mostMembers } from './crypto-jobs.ts'
import { sumOf } from './hashes.ts'
import { openPieces, sealPieces } from './open-pieces.ts'
import { keepChunksOutOfPool } from './parts/boxes.ts'
import { openParts } from './parts/open-parts.ts'
import { sealParts } from './parts/seal-parts.ts'
import { secretboxNamed } from './secretbox.ts'

const { PRIORITY_BELOW_NORMAL: lowPriority } = constants.priority

// Jobs here take long, so the event loop of the main thread goes first. Only Linux has a priority for
// each thread; elsewhere the whole process would be slowed down, and could not undo it.
if (process.platform === 'linux' && getPriority() < lowPriority) setPriority(lowPriority)

keepChunksOutOfPool()

type Pieces = AsyncIterable<Uint8Array>

handleJobs<CryptoWorker.Job, CryptoWorker.Answer>((job, pieces) => perform(job, pieces))

function perform(job: CryptoWorker.Job, pieces: Pieces): Promise<JobResult<CryptoWorker.Answer>> {
  if (job.kind === 'read') return read(job)
  if (job.kind === 'open') return open(job, pieces)
  if (job.kind === 'seal') return seal(job, pieces)
  if (job.kind === 'commit') return commit(job)
  return job.kind === 'open-parts' ? openInParts(job, pieces) : sealInParts(job, pieces)
}

async function read({
  bytes,
  heading,
}: CryptoWorker.Reading): Promise<JobResult<CryptoWorker.Answer>> {
  const members = [...readMembers(bytes, mostMembers)].map(([name, text]) => {
    const start = text.byteOffset - bytes.byteOffset
    return [name, start, start + text.length] as const
  })
  return { answer: { bytes, members, sum: sumOf(heading, bytes) }, moved: [bytes.buffer] }
}

async function commit(job: CryptoWorker.Committing): Promise<JobResult<CryptoWorker.Answer>> {
  const { document } = job
  try {
    return { answer: { commitment: commitTo(job), document }, moved: [document.buffer] }
  } catch (error) {
    releaseWholeBuffer(document)
    throw error
  }
}

async function open(
  { key, ...job }: CryptoWorker.Opening,
  pieces: Pieces,
): Promise<JobResult<CryptoWorker.Answer>> {
  const stream = { ...job, secretbox: secretboxNamed(job.secretbox), key }
  try {
    const answer = await openPieces({ ...job, stream }, pieces)
    return { answer, moved: [answer.bytes.buffer] }
  } finally {
    key.fill(0)
  }
}

async function seal(
  { key, ...job }: CryptoWorker.Sealing,
  pieces: Pieces,
): Promise<JobResult<CryptoWorker.Answer>> {
  const stream = { ...job, secretbox: secretboxNamed(job.secretbox), key }
  try {
    const chunks = await sealPieces({ ...job, stream }, pieces)
    return { answer: { chunks }, moved: chunks === undefined ? [] : [chunks.bytes.buffer] }
  } finally {
    key.fill(0)
  }
}

async function openInParts(
  job: CryptoWorker.OpeningParts,
  pieces: Pieces,
): Promise<JobResult<CryptoWorker.Answer>> {
  const answer = await openParts({ ...job, secretbox: secretboxNamed(job.secretbox) }, pieces)
  return { answer, moved: [answer.bytes.buffer] }
}

async function sealInParts(
  job: CryptoWorker.SealingParts,
  pieces: Pieces,
): Promise<JobResult<CryptoWorker.Answer>> {
  try {
    const answer = await sealParts({ ...job, secretbox: secretboxNamed(job.secretbox) }, pieces)
    return { answer, moved: [answer.root.buffer, ...answer.added.map(({ buffer }) => buffer)] }
  } finally {
    releaseWholeBuffer(job.document)
    for (const key of [job.lineKey, job.last?.lineKey]) key?.fill(0)
  }
}
