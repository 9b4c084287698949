import { arbitraryCodePoint, arbitraryJsonText, arbitraryObjectText } from '@heirloom/testkit'
import fc, { type Arbitrary } from 'fast-check'
import type { FormatName, SourceFile } from '../index.ts'

/** Returns the bytes of a text. */
export const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Returns a file with a text. */
export const fileOf = (path: string, text: string): SourceFile => ({ path, bytes: bytesOf(text) })

const around = fc.constantFrom('', '', '\n', '\r\n', ' \t')
const start = fc.constantFrom('', '', '\uFEFF', '\uFEFF\n', ' ')

const oneFile = (path: string, texts: Arbitrary<string>) =>
  fc
    .tuple(start, texts, around)
    .map(([before, text, after]) => [fileOf(path, before + text + after)])

/** Generates an object with known and arbitrary members, written with varying white space. */
const objectWith = (members: Arbitrary<Readonly<Record<string, unknown>>>) =>
  fc.tuple(members, arbitraryObjectText, fc.nat(3)).map(([known, other, space]) => {
    const text = JSON.stringify(known, undefined, space)
    return `${text.slice(0, -1)},"another": ${other}}`
  })

const agent = fc.record({
  name: fc.string({ unit: arbitraryCodePoint, maxLength: 8 }),
  agent_type: fc.constant('letta_v1_agent'),
  messages: fc.array(fc.record({ role: fc.constant('user'), content: fc.string() }), {
    maxLength: 2,
  }),
  llm_config: fc.record({ model: fc.constant('m') }),
  secrets: fc.constant(null),
  tool_exec_environment_variables: fc.constant({}),
})

const agentFile = fc.oneof(
  objectWith(
    fc.record({
      agents: fc.array(agent, { maxLength: 2 }),
      blocks: fc.constant([]),
      tools: fc.constant([]),
      created_at: fc.constant('2026-03-02T23:57:15Z'),
    }),
  ),
  objectWith(agent.map((one) => ({ ...one, core_memory: [{ label: 'persona', value: 'x' }] }))),
)

const entity = objectWith(
  fc.record({
    type: fc.constant('entity'),
    name: fc.string(),
    entityType: fc.string(),
    observations: fc.array(fc.string({ unit: arbitraryCodePoint }), { maxLength: 2 }),
  }),
)
const relation = objectWith(
  fc.record({
    type: fc.constant('relation'),
    from: fc.string(),
    to: fc.string(),
    relationType: fc.string(),
  }),
)

/** Removes the member that names the type of a line, as some programs write none. */
const untyped = (lines: Arbitrary<string>) =>
  lines.map((text) => text.replace(/"type":\s*"(?:entity|relation)",\s*/, ''))

const item = objectWith(
  fc.record({
    namespace: fc.array(fc.string(), { maxLength: 2 }),
    key: fc.string(),
    value: fc.dictionary(fc.string(), fc.jsonValue()),
    created_at: fc.constant('2024-10-02T17:22:31Z'),
  }),
)

const memory = objectWith(
  fc.record({
    id: fc.uuid(),
    memory: fc.string({ unit: arbitraryCodePoint }),
    user_id: fc.constant('alex'),
  }),
)

/** Generates JSON lines, with white space other than line breaks inside the objects. */
const linesOf = (objects: Arbitrary<string>) =>
  fc
    .tuple(
      fc.array(
        objects.map((text) => text.replaceAll(/[\r\n]/g, ' ')),
        { minLength: 1, maxLength: 5 },
      ),
      fc.constantFrom('\n', '\r\n', '\n\n', ' \n', '\n \r\n\t'),
    )
    .map(([lines, between]) => lines.join(between))

const listOf = (objects: Arbitrary<string>) =>
  fc.array(objects, { minLength: 1, maxLength: 4 }).map((all) => `[${all.join(' ,\n')}]`)

const part = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .map((text) => text.replaceAll(/[\\/:\p{Cc}\p{Cs}]/gu, '_'))
  .filter((text) => text !== '.' && text !== '..' && !text.startsWith('.git'))

const folder = fc
  .dictionary(
    fc
      .tuple(fc.constantFrom('', 'memory/', 'system/a/'), part)
      .map(([it, name]) => `${it}${name}.md`),
    fc.oneof(
      fc.string({ unit: arbitraryCodePoint }).map((text) => text.replaceAll('\0', '')),
      fc.constantFrom('---\nagentId: bob\n---\r\ntext\r\n', '\uFEFF---\n: [\n---\n', '__proto__'),
      fc.constantFrom('---\r\nversion: 1\r\n---\r\n', '---\n---\n', '---\r\n---'),
    ),
    { minKeys: 1, maxKeys: 6 },
  )
  .map((texts) => Object.entries(texts).map(([path, text]) => fileOf(path, text)))

const aText = fc.string({ unit: arbitraryCodePoint, maxLength: 8 })

const chatgptConversation = objectWith(
  fc.record({
    title: fc.string(),
    create_time: fc.double({ noNaN: true, min: 0, max: 2e9 }),
    mapping: fc.dictionary(
      fc.stringMatching(/^[a-z]{1,4}$/),
      fc.record({ message: fc.record({ content: fc.record({ parts: fc.array(aText) }) }) }),
    ),
    current_node: fc.string(),
  }),
)

const claudeConversation = objectWith(
  fc.record({
    uuid: fc.uuid(),
    name: aText,
    created_at: fc.constant('2026-01-02T03:04:05.678901Z'),
    chat_messages: fc.array(fc.record({ uuid: fc.uuid(), text: aText, sender: aText })),
  }),
)

const character = objectWith(
  fc.record({
    name: fc.stringMatching(/^[A-Z][a-z]{1,8}$/),
    bio: fc.oneof(aText, fc.array(aText)),
    adjectives: fc.array(aText),
    style: fc.record({ all: fc.array(aText) }),
  }),
)

const fact = objectWith(
  fc.record({
    uuid: fc.uuid(),
    source_node_uuid: fc.uuid(),
    target_node_uuid: fc.uuid(),
    fact: aText,
    valid_at: fc.constantFrom(null, '2026-01-02T03:04:05Z'),
  }),
)
const knownEntity = objectWith(
  fc.record({ uuid: fc.uuid(), name: aText, summary: aText, labels: fc.constant(['Entity']) }),
)

const cogneeNode = objectWith(fc.record({ id: fc.uuid(), type: aText, name: aText }))
const cogneeEdge = objectWith(
  fc.record({ source: fc.uuid(), target: fc.uuid(), relationship_name: aText }),
)

const checkpointRow = objectWith(
  fc.record({
    thread_id: aText,
    checkpoint_ns: fc.constant(''),
    type: fc.constant('json'),
    checkpoint: fc.oneof(
      fc.record({ json: fc.jsonValue() }),
      fc.record({ text: aText }),
      fc.constant({ base64: 'AP8=' }),
    ),
    parent_checkpoint_id: fc.constant(null),
  }),
)

const archive = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom('entities.jsonl', 'facts.jsonl', 'nodes.jsonl', 'permissions.json'),
      fc.array(entity, { maxLength: 3 }).map((lines) => lines.join('\n')),
    ),
    objectWith(fc.record({ cogx_version: fc.constant('0.1'), source_system: aText })),
  )
  .map(([texts, manifest]) => [
    ...Object.entries(texts).map(([path, text]) => fileOf(path, text)),
    fileOf('manifest.json', manifest),
  ])

const node = fc.tuple(fc.uuid(), aText).map(([id, text]) => ({
  [id]: {
    __data__: {
      id_: id,
      embedding: null,
      metadata: {},
      relationships: {},
      text,
      class_name: 'TextNode',
    },
    __type__: '1',
  },
}))

const chats = fc
  .dictionary(
    aText,
    fc.array(
      aText.map((text) => ({
        role: 'user',
        additional_kwargs: {},
        blocks: [{ block_type: 'text', text }],
      })),
    ),
  )
  .map((store) => JSON.stringify({ store, class_name: 'SimpleChatStore' }))

const storage = fc
  .record(
    {
      'docstore.json': node.map((one) => JSON.stringify({ 'docstore/data': one })),
      'index_store.json': aText.map((id) =>
        JSON.stringify({
          'index_store/data': { [id]: { __type__: 'vector_store', __data__: '{}' } },
        }),
      ),
      'default__vector_store.json': fc.constantFrom('{"embedding_dict": {"a": [0.1, NaN]}}', '{}'),
      'graph_store.json': fc.constant('{"graph_dict": {}}'),
      'chat_store.json': fc.oneof(
        chats,
        chats.map((text) => JSON.stringify(text)),
      ),
    },
    { requiredKeys: ['docstore.json', 'graph_store.json'] },
  )
  .map((texts) => Object.entries(texts).map(([path, text]) => fileOf(path, text)))

/** Generates the files of each format. */
export const arbitraryFiles: Readonly<Record<FormatName, Arbitrary<readonly SourceFile[]>>> = {
  json: oneFile('notes.json', arbitraryJsonText),
  'letta-af': oneFile(
    'loop.af',
    fc.oneof(
      agentFile,
      agentFile.map((text) => JSON.stringify(text)),
    ),
  ),
  'mcp-memory': oneFile(
    'memory.jsonl',
    fc.oneof(linesOf(fc.oneof(entity, relation)), linesOf(fc.oneof(untyped(entity), relation))),
  ),
  mem0: oneFile(
    'mem0.json',
    fc.oneof(
      listOf(memory),
      listOf(memory).map((all) => `{"count": 4,"next":null, "results" :${all}}`),
    ),
  ),
  'langgraph-store': oneFile(
    'store.json',
    fc.oneof(
      listOf(item),
      listOf(item).map((all) => `{"items": ${all}}`),
      linesOf(item),
    ),
  ),
  'langgraph-checkpoints': oneFile(
    'checkpoints.json',
    listOf(checkpointRow).map((rows) => `{"saver":"sqlite","tables": {"checkpoints":${rows}}}`),
  ),
  chatgpt: oneFile(
    'conversations.json',
    fc.oneof(listOf(chatgptConversation), chatgptConversation),
  ),
  claude: oneFile('conversations.json', fc.oneof(listOf(claudeConversation), claudeConversation)),
  eliza: oneFile('character.json', character),
  graphiti: oneFile(
    'graph.json',
    fc.oneof(
      listOf(fc.oneof(fact, knownEntity)),
      linesOf(fc.oneof(fact, knownEntity)),
      fc
        .tuple(listOf(knownEntity), listOf(fact))
        .map(([nodes, edges]) => `{"nodes":${nodes}, "edges":${edges}}`),
    ),
  ),
  cognee: oneFile(
    'graph.json',
    fc
      .tuple(listOf(cogneeNode), listOf(cogneeEdge))
      .map(([nodes, edges]) => `{"nodes":${nodes}, "edges":${edges}}`),
  ),
  cogx: archive,
  'llama-index': storage,
  markdown: folder,
}
