import { languages } from '@heirloom/adapters/internal/languages'
import {
  answerQuestion,
  instant,
  type Misspelt,
  parseItems,
  parsePointer,
  type WordIndex,
  wordIndex,
} from '@heirloom/core'
import { nodeAt, type TreeDocument } from './tree-nodes.ts'

/** The most answers to a question, and the longest text that is asked, in UTF-16 code units. */
const [most, longest] = [20, 10_000_000]

const indexes = new WeakMap<TreeDocument, WordIndex>()

/** The nodes that answer a question, the best first, and the words of it that no item has. */
type Answered = { readonly nodes: readonly number[]; readonly misspelt: readonly Misspelt[] }

/** Asks a document; a very long one has no answers. */
export function askNodes(document: TreeDocument, question: string): Answered {
  if (document.tape.text.length > longest) return { nodes: [], misspelt: [] }
  const index = indexes.get(document) ?? wordIndex(parseItems(document.tape.text), languages)
  indexes.set(document, index)
  const input = { question, most, now: instant(Date.now()) }
  const { answers, misspelt } = answerQuestion(index, input)
  return {
    nodes: answers.flatMap(({ pointer = '' }) => nodeAt(document, parsePointer(pointer)) ?? []),
    misspelt,
  }
}

/** Returns what answers a question best in the text of a document, and the words of it that no item has. */
export const askText = (text: string, question: string): ReturnType<typeof answerQuestion> =>
  answerQuestion(wordIndex(parseItems(text), languages), {
    question,
    most: 3,
    now: instant(Date.now()),
  })
