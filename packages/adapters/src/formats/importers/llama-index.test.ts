import { describe, expect, test } from 'vitest'
import { exportMemory, importMemory, safeFiles } from '../index.ts'
import { fileOf } from '../test/files.ts'

// The layout of llama_index.core: SimpleDocumentStore, SimpleIndexStore, SimpleVectorStore and others.
const related = { node_id: 'd1', node_type: '4', metadata: { file_name: 'tea.txt' }, hash: 'ab' }
const nodeOf = (id: string, text: string) => ({
  __data__: {
    id_: id,
    embedding: null,
    metadata: { file_name: 'tea.txt' },
    excluded_embed_metadata_keys: ['file_name'],
    excluded_llm_metadata_keys: [],
    relationships: { '1': { ...related, class_name: 'RelatedNodeInfo' } },
    metadata_template: '{key}: {value}',
    metadata_separator: '\n',
    text,
    mimetype: 'text/plain',
    start_char_idx: 0,
    end_char_idx: text.length,
    text_template: '{metadata_str}\n\n{content}',
    class_name: 'TextNode',
  },
  __type__: '1',
})

const docstore = {
  'docstore/data': { n1: nodeOf('n1', 'Ada likes tea ☕'), n2: nodeOf('n2', 'in the morning') },
  'docstore/metadata': {
    n1: { doc_hash: 'cd', ref_doc_id: 'd1' },
    n2: { doc_hash: 'ef', ref_doc_id: 'd1' },
  },
  'docstore/ref_doc_info': { d1: { node_ids: ['n1', 'n2'], metadata: {} } },
}
const index = { index_id: 'i1', summary: null, nodes_dict: { n1: 'n1' }, doc_id_dict: {} }
const indexStore = {
  'index_store/data': { i1: { __type__: 'vector_store', __data__: JSON.stringify(index) } },
}
const message = (role: string, text: string) => ({
  role,
  additional_kwargs: {},
  blocks: [{ block_type: 'text', text }],
})
const chatStore = {
  store: { ada: [message('user', 'Tea?'), message('assistant', 'Yes.')] },
  class_name: 'SimpleChatStore',
}

/** Writes JSON with the separators and escapes of Python's `json.dumps`. */
const pythonJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value).replaceAll(
      /[\u0080-\uFFFF]/g,
      (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  }
  const members = Object.entries(value).map(([name, it]) => `"${name}": ${pythonJson(it)}`)
  return `{${members.join(', ')}}`
}

const folder = [
  fileOf(
    'default__vector_store.json',
    '{"embedding_dict": {"n1": [0.10000000149011612, -1e-05], "n2": [NaN, 0.5]}, "text_id_to_ref_doc_id": {"n1": "d1", "n2": "d1"}, "metadata_dict": {}}',
  ),
  fileOf('docstore.json', pythonJson(docstore)),
  fileOf('graph_store.json', '{"graph_dict": {}}'),
  fileOf('image__vector_store.json', '{"embedding_dict": {}, "metadata_dict": {}}'),
  fileOf('index_store.json', pythonJson(indexStore)),
]

describe('a folder that LlamaIndex persists', () => {
  test('is recognised, counted and comes back byte for byte', () => {
    const { format, document, report } = importMemory(folder, { secrets: 'refuse' })
    expect(format).toBe('llama-index')
    expect(exportMemory(document)).toEqual(folder)
    expect(report.left).toEqual([])
    expect(report.taken).toEqual([
      { what: 'nodes', count: 2 },
      { what: 'indices', count: 1 },
      { what: 'files', count: 5 },
    ])
  })

  test('is exported whole, whoever made it, without what programs read', () => {
    const more = [fileOf('package.json', '{}'), fileOf('notes.json', '{}')]
    const { files, left } = safeFiles([...folder, ...more])
    expect(files).toEqual(folder)
    expect(left.map(({ what }) => what)).toEqual(['package.json', 'notes.json'])
  })

  test.each([
    ['as an object', JSON.stringify(chatStore)],
    ['as a text, as older versions wrote it', JSON.stringify(JSON.stringify(chatStore))],
  ])('has its chats, %s', (_, text) => {
    const files = [fileOf('chat_store.json', text), ...folder]
    const { report, format } = importMemory(files, { secrets: 'refuse' })
    expect([format, report.taken]).toEqual([
      'llama-index',
      expect.arrayContaining([{ what: 'messages', count: 2 }]),
    ])
  })
})

test('one store alone is JSON, and comes back byte for byte', () => {
  const files = [fileOf('chat_store.json', JSON.stringify(chatStore))]
  const { format, document } = importMemory(files, { secrets: 'refuse' })
  expect(format).toBe('json')
  expect(exportMemory(document)).toEqual(files)
})

test('a folder of other JSON files of such names is none', () => {
  const files = [fileOf('docstore.json', '{"nodes": []}'), fileOf('index_store.json', '[]')]
  expect(() => importMemory(files, { secrets: 'refuse' })).toThrow(/not recognised/)
})
