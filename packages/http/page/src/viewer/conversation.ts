import { readText, stringStart } from './preview-node.ts'
import {
  childrenOfNode,
  firstChildren,
  jsonOfNode,
  kindOfNode,
  memberOfNode,
  type TreeDocument,
} from './tree-nodes.ts'

/** A message of a conversation. */
export type Message = Readonly<ReturnType<typeof readMessage>>

/** The most characters of a message that are shown. */
export const mostMessageText = 20_000

const roleNames = ['role', 'sender', 'from', 'author', 'message_type', 'type'] as const
const textNames = ['content', 'text', 'value', 'parts', 'reasoning', 'data'] as const
const timeNames = ['created_at', 'create_time', 'createdAt', 'timestamp', 'time', 'date'] as const

/** The words for a speaker in the formats of chats, and those that are shown. */
const roles: ReadonlyMap<string, string> = new Map([
  ...['user', 'human', 'user_message'].map((it) => [it, 'user'] as const),
  ...['assistant', 'ai', 'gpt', 'bot', 'model', 'assistant_message', 'reasoning_message'].map(
    (it) => [it, 'assistant'] as const,
  ),
  ...['system', 'developer', 'system_message'].map((it) => [it, 'system'] as const),
  ...['tool', 'function', 'tool_call_message', 'tool_return_message'].map(
    (it) => [it, 'tool'] as const,
  ),
])

type Read<T> = (document: TreeDocument, member: number) => T | undefined

/** Returns what is read first of some members of a node. */
const firstMember =
  <T>(names: readonly string[], read: Read<T>): Read<T> =>
  (document, node) =>
    names
      .map((name) => memberOfNode(document, node, name))
      .map((member) => (member === undefined ? undefined : read(document, member)))
      .find((it) => it !== undefined)

const readStart: Read<string> = (document, node) =>
  kindOfNode(document, node) === 'string' ? stringStart(document, node, 100) : undefined

/** Returns the beginning of the first of some members of a node that is a text. */
export const textMember = (document: TreeDocument, node: number, names: readonly string[]) =>
  firstMember(names, readStart)(document, node)

/** Returns the speaker of a message; `undefined` when it is none. */
const roleOf = firstMember(roleNames, (document, member) => {
  const role = readStart(document, member) ?? textMember(document, member, ['role'])
  return role === undefined ? undefined : roles.get(role.toLowerCase())
})

const contentOf = firstMember(textNames, (_, member) => member)

const isMessage = (document: TreeDocument, node: number): boolean =>
  kindOfNode(document, node) === 'object' &&
  roleOf(document, node) !== undefined &&
  contentOf(document, node) !== undefined

/** The number of messages that are looked at to recognise a conversation. */
const looked = 5

/**
 * Returns whether a node is a conversation: a list of messages with a speaker and a text, as most
 * programs write, or the tree of messages of an export of ChatGPT.
 */
export function isConversation(document: TreeDocument, node: number): boolean {
  const kind = kindOfNode(document, node)
  if (kind === 'array') {
    const first = firstChildren(document, node, looked)
    return first.length > 0 && first.every((it) => isMessage(document, it))
  }
  return kind === 'object' && isMapping(document, node)
}

function isMapping(document: TreeDocument, node: number): boolean {
  const [first, second] = firstChildren(document, node, 64).filter(
    (child) => stringStart(document, child - 1, 10) === 'mapping',
  )
  if (first === undefined || second !== undefined) return false
  const [entry] = firstChildren(document, first, 1)
  if (entry === undefined) return false
  return ['message', 'children'].every((it) => memberOfNode(document, entry, it) !== undefined)
}

/** Returns the nodes of the messages of a conversation, in their order. */
export function messagesOf(document: TreeDocument, node: number): readonly number[] {
  if (kindOfNode(document, node) === 'array') return [...childrenOfNode(document, node)]
  const mapping = memberOfNode(document, node, 'mapping')
  return mapping === undefined ? [] : followMapping(document, node, mapping)
}

/** Follows the branch that was shown last, from its end to its beginning. */
function followMapping(document: TreeDocument, node: number, mapping: number): readonly number[] {
  const entries = new Map(
    [...childrenOfNode(document, mapping)].map((it) => [stringStart(document, it - 1, 100), it]),
  )
  const messages: number[] = []
  const last = [...entries.keys()].at(-1)
  let id = textMember(document, node, ['current_node']) ?? last
  for (let left = entries.size; id !== undefined && left > 0; left--) {
    const entry: number | undefined = entries.get(id)
    if (entry === undefined) break
    const message = memberOfNode(document, entry, 'message')
    if (message !== undefined && isMessage(document, message)) messages.push(message)
    id = textMember(document, entry, ['parent'])
  }
  return messages.reverse()
}

/** Reads a message for display. */
export function readMessage(document: TreeDocument, node: number) {
  const content = contentOf(document, node)
  const { text, left } =
    content === undefined ? { text: '', left: 0 } : readContent(document, content)
  return {
    node,
    /** Names who speaks: `user`, `assistant`, `system`, `tool` or another word of the file. */
    role: roleOf(document, node) ?? 'message',
    name: textMember(document, node, ['name']),
    /** The time as the file has it. */
    at: timeOf(document, node),
    text,
    /** The number of characters that are left out of a long text. */
    left,
  }
}

const timeOf = firstMember(timeNames, (document, member) => {
  if (kindOfNode(document, member) !== 'word') return readStart(document, member)?.slice(0, 40)
  const at = Number(jsonOfNode(document, member))
  // Some write seconds, some milliseconds.
  return at > 1e8 && at < 1e14 ? new Date(at < 1e11 ? at * 1000 : at).toISOString() : undefined
})

type Content = { readonly text: string; readonly left: number }

/** Reads the text of a message: a string, or a list of parts of which some are texts. */
function readContent(document: TreeDocument, node: number, depth = 0): Content {
  const kind = kindOfNode(document, node)
  if (kind === 'string') return readText(document, node, mostMessageText)
  if (kind === 'word' || depth > 3) return { text: '', left: 0 }
  if (kind === 'object') return readPart(document, node, depth)
  const parts = firstChildren(document, node, 100).map((it) => readContent(document, it, depth + 1))
  const text = parts.map((it) => it.text).filter((it) => it !== '')
  return cutContent(
    text.join('\n\n'),
    parts.reduce((sum, it) => sum + it.left, 0),
  )
}

function readPart(document: TreeDocument, node: number, depth: number): Content {
  for (const name of ['text', 'parts', 'content', 'reasoning', 'thinking']) {
    const member = memberOfNode(document, node, name)
    if (member !== undefined) return readContent(document, member, depth + 1)
  }
  const kind = textMember(document, node, ['type', 'content_type']) ?? 'part'
  const name = textMember(document, node, ['name'])
  return { text: name === undefined ? `[${kind}]` : `[${kind}: ${name}]`, left: 0 }
}

const cutContent = (text: string, left: number): Content => ({
  text: text.slice(0, mostMessageText),
  left: left + Math.max(0, text.length - mostMessageText),
})
