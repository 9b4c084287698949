import { setImmediate } from 'node:timers/promises'
import { answerQuestion, type IndexBounds, indexSteps, type WordIndex } from '@heirloom/core'
import { handleJobs } from '../platform/worker.ts'
import { knownMemories } from './known-memories.ts'
import { languages } from './languages.ts'
import { parseMemory } from './parse-memory.ts'
import type { RecallJob, RecallReply } from './recall-worker.ts'

/** The bounds of one index. */
const bounds: IndexBounds = { items: 400_000, words: 1_000_000, postings: 12_000_000 }

const memories = knownMemories({ room: 134_217_728, small: 33_554_432 })

handleJobs<RecallJob, RecallReply>(async ({ digest, question, document }) => {
  if (question === undefined) memories.remove(digest)
  else if (document !== undefined) memories.add(digest, await read(document))
  const known = memories.find(digest)
  if (question === undefined || known === undefined) return { answer: { kind: 'unread' } }
  const { index } = known
  if (index === undefined) return { answer: { kind: 'unindexed' } }
  return { answer: { kind: 'answered', answered: answerQuestion(index, question) } }
})

/** Builds the index of a document; `undefined` where it is beyond the bounds. */
async function read(document: Uint8Array): Promise<WordIndex | undefined> {
  const parsed = parseMemory(document)
  if (parsed === undefined) return undefined
  const building = indexSteps(parsed, languages, bounds)
  for (let began = performance.now(); ; ) {
    const { done, value: index } = building.next()
    if (done === true) return index
    if (performance.now() - began < longestStep) continue
    // Questions to other memories have their turn meanwhile.
    await setImmediate()
    began = performance.now()
  }
}

/** The time that a build has the thread at once, in milliseconds. */
const longestStep = 10
