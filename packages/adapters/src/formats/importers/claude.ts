import type { Omission } from '../import-report.ts'
import { isClaudeConversation } from './conversation.ts'
import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf, textOf } from './json-file.ts'

/**
 * Imports a file of an export of Claude: the conversations, the projects with their documents, or
 * what Claude remembers of them.
 */
export const claude: JsonImporter = {
  noun: 'conversations, projects or memories of a Claude export',
  file: 'conversations.json',
  otherFiles: /^(?:conversations-\d{1,6}|projects|memories)\.json$/,
  category: 'conversations',
  matches: (value) => {
    const items = itemsOf(value)
    return items.length > 0 && items.every((item) => kinds.some((isKind) => isKind(item)))
  },
  describe: (value) => {
    const items = itemsOf(value)
    const files = items.flatMap(messagesOf).flatMap((message) => listOf(message, 'files')).length
    return { metadata: {}, taken: countContents(items), left: filesOmission(files) }
  },
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

const isProject = (item: unknown) =>
  textOf(item, 'uuid') !== undefined &&
  Array.isArray(memberOf(item, 'docs')) &&
  memberOf(item, 'name') !== undefined

const isMemory = (item: unknown) =>
  typeof memberOf(item, 'conversations_memory') === 'string' ||
  isJsonObject(memberOf(item, 'project_memories'))

const kinds = [isClaudeConversation, isProject, isMemory]

const messagesOf = (item: unknown) => listOf(item, 'chat_messages')

function countContents(items: readonly unknown[]) {
  const projectMemories = items.map((item) => memberOf(item, 'project_memories'))
  return [
    { what: 'conversations', count: items.filter(isClaudeConversation).length },
    { what: 'messages', count: items.flatMap(messagesOf).length },
    { what: 'projects', count: items.filter(isProject).length },
    { what: 'documents', count: items.flatMap((item) => listOf(item, 'docs')).length },
    { what: 'memories', count: items.filter(isMemory).length },
    {
      what: 'memories of projects',
      count: projectMemories.flatMap((it) => (isJsonObject(it) ? Object.keys(it) : [])).length,
    },
  ]
}

function filesOmission(count: number): readonly Omission[] {
  const why = 'the conversations name them; an export of Claude has only texts read from them'
  return count === 0 ? [] : [{ what: `attached files (${count})`, why }]
}
