import { answerQuestion, type Digest, type WordIndex, wordIndex } from '@heirloom/core'
import { handleJobs } from '../platform/worker.ts'
import { languages } from './languages.ts'
import type { RecallJob, RecallReply } from './recall-worker.ts'

/** The most bytes of all indexes together; of one alone it may be more. */
const mostBytes = 268_435_456

/** The indexes of memories, the latest used last. */
const indexes = new Map<Digest, WordIndex>()

handleJobs<RecallJob, RecallReply>(async ({ digest, question, document }) => {
  if (question === undefined) {
    indexes.delete(digest)
    return { answer: undefined }
  }
  const index = document === undefined ? indexes.get(digest) : wordIndex(parse(document), languages)
  if (index === undefined) return { answer: undefined }
  use(digest, index)
  return { answer: answerQuestion(index, question) }
})

const parse = (document: Uint8Array): unknown =>
  JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(document))

/** Notes that an index is used, and drops those that were not for the longest time. */
function use(digest: Digest, index: WordIndex): void {
  indexes.delete(digest)
  indexes.set(digest, index)
  let total = [...indexes.values()].reduce((sum, { size }) => sum + size, 0)
  for (const [oldest, { size }] of indexes) {
    if (total <= mostBytes || oldest === digest) return
    indexes.delete(oldest)
    total -= size
  }
}
