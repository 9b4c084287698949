import type { Omission } from '../import-report.ts'
import { isChatgptConversation } from './conversation.ts'
import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf, textOf } from './json-file.ts'

/** Imports the conversations of an export of ChatGPT: a list of them, or one. */
export const chatgpt: JsonImporter = {
  noun: 'conversations of a ChatGPT export',
  file: 'conversations.json',
  otherFiles: /^conversations-\d{1,6}\.json$/,
  category: 'conversations',
  matches: (value) => {
    const conversations = conversationsOf(value)
    return conversations.length > 0 && conversations.every(isChatgptConversation)
  },
  describe: (value) => {
    const conversations = conversationsOf(value)
    const messages = conversations.flatMap(messagesOf)
    const assets = messages.flatMap(assetsOf).length
    return {
      metadata: {},
      taken: [
        { what: 'conversations', count: conversations.length },
        { what: 'messages', count: messages.length },
      ],
      left: assetsOmission(assets),
    }
  },
}

function conversationsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function messagesOf(conversation: unknown): readonly unknown[] {
  const mapping = memberOf(conversation, 'mapping')
  const nodes = isJsonObject(mapping) ? Object.values(mapping) : []
  return nodes.map((node) => memberOf(node, 'message')).filter(isJsonObject)
}

/** Returns the parts of a message that only point to a picture, a recording or a file. */
function assetsOf(message: unknown): readonly unknown[] {
  const parts = listOf(memberOf(message, 'content'), 'parts')
  const pointers = parts.filter((part) => textOf(part, 'asset_pointer') !== undefined)
  return [...pointers, ...listOf(memberOf(message, 'metadata'), 'attachments')]
}

function assetsOmission(count: number): readonly Omission[] {
  const why = 'the conversations name them; their bytes are other files of the export'
  return count === 0 ? [] : [{ what: `pictures and attached files (${count})`, why }]
}
