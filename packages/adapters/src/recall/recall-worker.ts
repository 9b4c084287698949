import { extname } from 'node:path'
import type { Answered, Answering, Digest, Question } from '@heirloom/core'
import { worker } from '../platform/worker.ts'

/**
 * A question to the memory of a sealed bundle, with its document where the index is to be built; without
 * a question its index is dropped.
 */
export type RecallJob = {
  readonly digest: Digest
  readonly question?: Question
  readonly document?: Uint8Array
}

/** The answers; `undefined` where there is no index of the memory. */
export type RecallReply = Answered | undefined

/** The longest document that is indexed, in bytes: an index takes about three times as much. */
export const longestIndexed = 67_108_864

/** The most memory for the objects of the worker in MB, and the time after which it is ended. */
const [heapLimit, idleTimeout] = [1024, 600_000]

// A packed program has its worker's program packed beside it.
const program = `./recall-worker-program${extname(import.meta.url)}`

const recallWorker = worker<RecallJob, RecallReply>(
  new URL(program, import.meta.url),
  idleTimeout,
  heapLimit,
)

/** The memories that are being indexed. */
const indexing = new Map<Digest, Promise<RecallReply>>()

/**
 * Answers a question from the index of a memory, which is built from its document at the first
 * question. Answers nothing for a document that is too long.
 *
 * @throws what reading the document throws
 */
export const answerFromIndex: Answering = async ({ digest, length, read }, question) => {
  if (length > longestIndexed) return undefined
  await indexing.get(digest)?.catch(() => undefined)
  const known = await recallWorker.ask({ digest, question })
  if (known !== undefined) return known
  const built = indexing.get(digest)?.then(() => recallWorker.ask({ digest, question }))
  return built ?? buildIndex({ digest, question }, read)
}

/** Drops the index of a memory that was erased. */
export async function dropIndex(digest: Digest): Promise<void> {
  await indexing.get(digest)?.catch(() => undefined)
  if (recallWorker.ready()) await recallWorker.ask({ digest })
}

async function buildIndex(
  job: RecallJob,
  read: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<RecallReply> {
  const reply = read().then((document) =>
    recallWorker.ask({ ...job, document }, { moved: [document.buffer] }),
  )
  indexing.set(job.digest, reply)
  try {
    return await reply
  } finally {
    indexing.delete(job.digest)
  }
}
