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
  'mcp-memory': oneFile('memory.jsonl', linesOf(fc.oneof(entity, relation))),
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
  markdown: folder,
}
