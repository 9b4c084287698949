import type { SourceFile } from '../source-file.ts'
import type { FolderImporter } from './importer.ts'
import { decodeUtf8, isJsonObject, type JsonObject, listOf, memberOf } from './json-file.ts'
import { readTextFolder } from './text-folder.ts'

/**
 * Imports the folder of a LlamaIndex storage context, as `persist` writes it in Python and
 * TypeScript: nodes, indices, vectors, graphs and chats, each store a file of JSON.
 */
export const llamaIndex: FolderImporter = {
  noun: 'a folder of LlamaIndex',
  category: 'memory',
  ownFiles:
    /^(?:docstore|doc_store|index_store|chat_store|(?:property_|lpg_)?graph_store|(?:[a-z0-9]{1,40}__)?vector_store)\.json$/,
  // One store alone is a JSON file, whose values can be read one by one.
  matches: (files) => files.length > 1 && files.some(isStore),
  read: (files) => {
    const { data, texts, left } = readTextFolder(files)
    const stores = texts.map(({ text }) => parseStore(text))
    return {
      data,
      metadata: {},
      taken: [
        { what: 'nodes', count: countMembers(stores, 'docstore/data') },
        { what: 'indices', count: countMembers(stores, 'index_store/data') },
        { what: 'vectors', count: countMembers(stores, 'embedding_dict') },
        { what: 'messages', count: stores.flatMap(messagesOf).length },
        { what: 'files', count: texts.length },
      ],
      left,
    }
  },
}

/** Returns whether a file is one of the stores that have the nodes, the indices or the chats. */
function isStore({ path, bytes }: SourceFile): boolean {
  if (!/^(?:docstore|doc_store|index_store|chat_store)\.json$/.test(path)) return false
  const store = parseStore(decodeUtf8(bytes) ?? '')
  const names = Object.keys(store)
  return isChatStore(store) || names.some((name) => /^(?:docstore|index_store)\//.test(name))
}

/** Returns the store that a text is; an empty one for any other text. */
function parseStore(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    // Older versions wrote the JSON of a chat store as a JSON string.
    const store: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return isJsonObject(store) ? store : {}
  } catch {
    return {}
  }
}

const isChatStore = (store: JsonObject) =>
  isJsonObject(store.store) && memberOf(store, 'class_name') === 'SimpleChatStore'

function messagesOf(store: JsonObject): readonly unknown[] {
  const chats = isChatStore(store) ? (store.store as JsonObject) : {}
  return Object.keys(chats).flatMap((key) => listOf(chats, key))
}

function countMembers(stores: readonly JsonObject[], name: string): number {
  const members = stores.map((store) => memberOf(store, name))
  return members.reduce<number>(
    (sum, it) => sum + (isJsonObject(it) ? Object.keys(it).length : 0),
    0,
  )
}
