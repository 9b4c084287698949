import { extname } from 'node:path'
import {
  type Answered,
  type Answering,
  type Digest,
  Failure,
  isFailure,
  type Question,
  type SearchedMemory,
} from '@heirloom/core'
import { type Worker, worker } from '../platform/worker.ts'

/**
 * A question to the memory of a sealed bundle, with its document where the index is to be built; without
 * a question its index is dropped.
 */
export type RecallJob = {
  readonly digest: Digest
  readonly question?: Question
  readonly document?: Uint8Array
}

/** The answers of a memory; or that it is not read yet, or beyond the bounds of an index. */
export type RecallReply =
  | { readonly kind: 'answered'; readonly answered: Answered }
  | { readonly kind: 'unread' | 'unindexed' }

/** The longest document that is indexed, in bytes: an index takes about four times as much. */
export const longestIndexed = 67_108_864

/**
 * The most memory for the objects of the worker in MB, and the time after which it is ended. The bounds
 * of an index keep it far below: beyond its limit a thread can end the process.
 */
const [heapLimit, idleTimeout] = [512, 600_000]

// A packed program has its worker's program packed beside it.
const program = `./recall-worker-program${extname(import.meta.url)}`

const recallWorker = worker<RecallJob, RecallReply>(
  new URL(program, import.meta.url),
  idleTimeout,
  heapLimit,
)

/** Answers questions from indexes, and drops the index of a memory that was erased. */
export type Recall = {
  readonly answerFromIndex: Answering
  readonly dropIndex: (digest: Digest) => Promise<void>
}

/** The most memories of which it is known that they are not to be indexed. */
const mostRefused = 10_000

/** Returns what answers from the indexes of a worker. */
export function recall(indexes: Pick<Worker<RecallJob, RecallReply>, 'ask' | 'ready'>): Recall {
  /** The memories that are being indexed. */
  const indexing = new Map<Digest, Promise<RecallReply>>()
  /** The memories whose index ended the worker, and those that were erased: none is indexed again. */
  const refused = new Set<Digest>()
  const refuse = (digest: Digest) => {
    if (refused.size >= mostRefused) refused.clear()
    refused.add(digest)
  }
  const inTurn = smallestFirst()

  const build = ({ digest, length, read }: SearchedMemory, question: Question) =>
    inTurn(length, async (): Promise<RecallReply> => {
      const document = await read()
      // It may have been erased after its right was verified.
      if (refused.has(digest)) return { kind: 'unindexed' }
      const job = { digest, question, document }
      return indexes.ask(job, { moved: [document.buffer] }).catch((error) => {
        if (!isDeath(error)) throw error
        refuse(digest)
        return { kind: 'unindexed' }
      })
    })

  const buildOnce = async (memory: SearchedMemory, question: Question): Promise<RecallReply> => {
    const reply = build(memory, question)
    indexing.set(memory.digest, reply)
    try {
      return await reply
    } finally {
      indexing.delete(memory.digest)
    }
  }

  const answer = async (memory: SearchedMemory, question: Question): Promise<RecallReply> => {
    const { digest } = memory
    await indexing.get(digest)?.catch(() => undefined)
    const known = await indexes.ask({ digest, question })
    if (known.kind !== 'unread') return known
    const built = indexing.get(digest)?.then(() => indexes.ask({ digest, question }))
    return built ?? buildOnce(memory, question)
  }

  return {
    async answerFromIndex(memory, question) {
      if (memory.length > longestIndexed || refused.has(memory.digest)) return undefined
      const reply = await answer(memory, question).catch((error) => {
        if (!isDeath(error)) throw error
        // The memory of somebody else may have ended the worker.
        return answer(memory, question).catch((again) => {
          throw isDeath(again) ? new Failure('service/busy', { limit: 1 }, { cause: again }) : again
        })
      })
      return reply.kind === 'answered' ? reply.answered : undefined
    },
    async dropIndex(digest) {
      refuse(digest)
      await indexing.get(digest)?.catch(() => undefined)
      if (indexes.ready()) await indexes.ask({ digest })
    },
  }
}

const isDeath = (error: unknown): boolean => isFailure(error, 'service/unexpected')

type Waiting = { readonly rank: number; readonly begin: () => void }

/**
 * Returns a queue that builds one index at a time, so that one document is in memory. A smaller one is
 * built first; each MiB counts as a place in the queue, so that none waits for ever.
 */
function smallestFirst() {
  const waiting: Waiting[] = []
  let [builds, isBuilding] = [0, false]
  return async <T>(length: number, build: () => Promise<T>): Promise<T> => {
    builds += 1
    const rank = builds + length / 2 ** 20
    if (isBuilding) await new Promise<void>((begin) => waiting.push({ rank, begin }))
    isBuilding = true
    try {
      return await build()
    } finally {
      waiting.sort((one, other) => one.rank - other.rank)
      const next = waiting.shift()
      isBuilding = next !== undefined
      next?.begin()
    }
  }
}

const answers = recall(recallWorker)

/**
 * Answers a question from the index of a memory, which is built from its document at the first
 * question. Answers nothing for a document that is too long, or has too much for an index.
 *
 * @throws what reading the document throws, and `service/busy` when the worker ended twice meanwhile
 */
export const answerFromIndex: Answering = answers.answerFromIndex

/** Drops the index of a memory that was erased, and makes none of it again. */
export const dropIndex: Recall['dropIndex'] = answers.dropIndex
