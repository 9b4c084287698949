import type { LanguageModelMiddleware } from 'ai'
import { fromJson, toJson } from '../json-values.ts'
import { type FrameworkOptions, openNamedDocument } from '../named-document.ts'
import { type Data, listIn } from '../state.ts'
import {
  type AnswerPart,
  answerOfStream,
  gistOf,
  type Message,
  messageOf,
  type StreamPart,
} from './messages.ts'

/** The options of the memory of a conversation. */
export type MemoryOptions = FrameworkOptions & {
  /** The most recalled messages that the model gets before the prompt; 100 when absent. */
  readonly recall?: number | undefined
  /** The most messages of a version; 1,000 when absent. Earlier versions have those before. */
  readonly keep?: number | undefined
}

/** Middleware that gives a model the memory of a conversation. */
export type HeirloomMemory = LanguageModelMiddleware & {
  /** Saves what is held when `durability` is `held`; otherwise waits for saves in progress. */
  readonly flush: () => Promise<void>
}

/**
 * Creates middleware of the AI SDK that remembers a conversation in a named memory, in the member
 * `messages` of its data. The model gets the recalled messages before the prompt, and an answer is
 * returned, or its stream ends, once it is in a version. What fails is not recalled. Calls fail with a
 * `HeirloomError`.
 */
export function heirloomMemory(options: MemoryOptions): HeirloomMemory {
  const { recall = 100, keep = 1_000 } = options
  const document = openNamedDocument({ category: 'conversation', ...options })
  const begin = async (prompt: readonly Message[]) => {
    const recalled = messagesOf(await document.read())
    const isSystem = ({ role }: Message) => role === 'system'
    const given = prompt.filter((it) => !isSystem(it))
    const fresh = freshOf(recalled, given)
    const end = async (answer: readonly AnswerPart[]) => {
      const message = messageOf(answer)
      const added = [...fresh, ...(message === undefined ? [] : [message])].map(toJson)
      await document.change((data) => {
        const messages = [...listIn(data, 'messages'), ...added] as readonly Message[]
        return [{ ...data, messages: lastMessages(messages, keep) }, undefined]
      })
    }
    const before = lastMessages(recalled, recall)
    return { prompt: [...prompt.filter(isSystem), ...before, ...fresh], end }
  }
  return {
    specificationVersion: 'v4',
    flush: document.flush,
    wrapGenerate: async ({ model, params }) => {
      const turn = await begin(params.prompt)
      const result = await model.doGenerate({ ...params, prompt: turn.prompt })
      await turn.end(result.content)
      return result
    },
    wrapStream: async ({ model, params }) => {
      const turn = await begin(params.prompt)
      const result = await model.doStream({ ...params, prompt: turn.prompt })
      return { ...result, stream: result.stream.pipeThrough(rememberAtEnd(turn.end)) }
    },
  }
}

/** Passes a stream on, and remembers its answer before it ends. */
function rememberAtEnd(end: (answer: readonly AnswerPart[]) => Promise<void>) {
  const answer = answerOfStream()
  return new TransformStream<StreamPart, StreamPart>({
    transform: (part, controller) => {
      answer.add(part)
      controller.enqueue(part)
    },
    flush: async () => {
      const parts = answer.parts()
      if (parts !== undefined) await end(parts)
    },
  })
}

const messagesOf = (data: Data): readonly Message[] =>
  listIn(data, 'messages').map((it) => fromJson(it) as Message)

/**
 * Returns the messages of a prompt that are not recalled yet. A prompt may have the new message alone,
 * or with any of those before it.
 */
export function freshOf(
  recalled: readonly Message[],
  prompt: readonly Message[],
): readonly Message[] {
  const [known, given] = [recalled.map(gistOf), prompt.map(gistOf)]
  let most = 0
  for (let start = 0; start < known.length; start += 1) {
    const length = commonLength(known, start, given)
    // One equal message alone is a message that was sent before, unless nothing came after it.
    if (length >= 2 || start + length === known.length) most = Math.max(most, length)
  }
  return prompt.slice(most)
}

function commonLength(known: readonly string[], start: number, given: readonly string[]): number {
  const differs = given.findIndex((gist, at) => gist !== known[start + at])
  return differs === -1 ? given.length : differs
}

/** Returns the last messages, at most so many, from a message of the user on. */
export function lastMessages(messages: readonly Message[], most: number): readonly Message[] {
  if (messages.length <= most) return messages
  const last = messages.slice(messages.length - most)
  const start = last.findIndex(({ role }) => role === 'user')
  // Without its call the result of a tool is refused by models.
  return start === -1 ? [] : last.slice(start)
}
