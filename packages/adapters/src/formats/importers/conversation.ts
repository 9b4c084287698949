import { isJsonObject, memberOf, textOf } from './json-file.ts'

/** Describes what a list of conversations shows of one. */
export type Conversation = {
  readonly id: string
  readonly title: string
  /** When it was begun, in milliseconds since 1970; `undefined` where the file does not say. */
  readonly at: number | undefined
}

/** The two kinds of exports that are lists of conversations. */
export type ConversationFormat = 'chatgpt' | 'claude'

/** Returns which export a parsed conversation comes from; `undefined` for any other value. */
export function conversationFormatOf(value: unknown): ConversationFormat | undefined {
  if (isChatgptConversation(value)) return 'chatgpt'
  return isClaudeConversation(value) ? 'claude' : undefined
}

/** Returns whether a value is a conversation of ChatGPT: a tree of messages as `mapping`. */
export function isChatgptConversation(value: unknown): boolean {
  const isDated = ['create_time', 'update_time', 'title', 'conversation_id'].some(
    (name) => memberOf(value, name) !== undefined,
  )
  const mapping = memberOf(value, 'mapping')
  return isDated && isJsonObject(mapping) && Object.values(mapping).every(isJsonObject)
}

/** Returns whether a value is a conversation of Claude: a list of messages as `chat_messages`. */
export function isClaudeConversation(value: unknown): boolean {
  return textOf(value, 'uuid') !== undefined && Array.isArray(memberOf(value, 'chat_messages'))
}

/** Returns the id, the title and the date of a parsed conversation. */
export function describeConversation(value: unknown): Conversation {
  const id = textOf(value, 'conversation_id') ?? textOf(value, 'id') ?? textOf(value, 'uuid')
  const title = textOf(value, 'title') ?? textOf(value, 'name')
  return { id: id ?? '', title: title ?? '', at: dateOf(value) }
}

/** The last millisecond that a JavaScript date can have. */
const latest = 8.64e15

function dateOf(value: unknown): number | undefined {
  const seconds = memberOf(value, 'create_time')
  const iso = textOf(value, 'created_at')
  const at = typeof seconds === 'number' ? seconds * 1000 : Date.parse(iso ?? '')
  return Number.isFinite(at) && Math.abs(at) <= latest ? Math.trunc(at) : undefined
}
