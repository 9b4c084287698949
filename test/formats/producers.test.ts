import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import * as elizaCore from '@elizaos/core'
import { ZepClient } from '@getzep/zep-cloud'
import { exportMemory, type FormatName, importMemory } from '@heirloom/adapters/formats'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { readSourceFiles } from '../../packages/http/src/cli/memories/source-files.ts'
import { serveJson } from './serve-json.ts'

// The declarations of the library name files without endings, which Node's rules do not find.
const { parseCharacter } = elizaCore as unknown as {
  readonly parseCharacter: (character: object) => object
}

const folder = mkdtempSync(join(tmpdir(), 'producers-'))
const at = (...names: string[]) => join(folder, ...names)
afterAll(() => rmSync(folder, { recursive: true }))

/** Imports what a program wrote, requires its format and an exact restoration, and returns the report. */
async function importWritten(path: string, format: FormatName) {
  const { files, left } = await readSourceFiles(path)
  const imported = importMemory(files, { secrets: 'refuse' })
  expect(imported.format).toBe(format)
  const exact = files.map((file) => ({ ...file, bytes: Uint8Array.from(file.bytes) }))
  expect(exportMemory(imported.document)).toEqual(exact)
  const { data } = JSON.parse(new TextDecoder().decode(imported.document))
  return { taken: imported.report.taken, left: [...left, ...imported.report.left], data }
}

test('the file of the MCP memory server, written by that server', async () => {
  const file = at('memory.jsonl')
  const program = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-memory/dist/index.js',
  )
  const client = new Client({ name: 'test', version: '1' })
  const env = { PATH: process.env.PATH ?? '', MEMORY_FILE_PATH: file }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program], env, stderr: 'ignore' }),
  )
  const entity = (name: string) => ({
    name,
    entityType: 'person',
    observations: [`${name} – likes "tea"`],
  })
  const graph = { entities: [entity('Ada'), entity('Bob')] }
  const relations = [{ from: 'Ada', to: 'Bob', relationType: 'knows' }]
  await client.callTool({ name: 'create_entities', arguments: graph })
  await client.callTool({ name: 'create_relations', arguments: { relations } })
  const read = await client.callTool({ name: 'read_graph', arguments: {} })
  await client.close()

  const counts = [
    { what: 'entities', count: 2 },
    { what: 'observations', count: 2 },
    { what: 'relations', count: 1 },
  ]
  expect((await importWritten(file, 'mcp-memory')).taken).toEqual(counts)
  const [content] = read.content as readonly { readonly text: string }[]
  writeFileSync(at('graph.json'), content?.text ?? '')
  expect((await importWritten(at('graph.json'), 'mcp-memory')).taken).toEqual(counts)
  // Older servers and other programs write the lines without their types.
  const untyped = readFileSync(file, 'utf8').replaceAll(/"type":"\w+",/g, '')
  writeFileSync(at('untyped.jsonl'), untyped)
  expect((await importWritten(at('untyped.jsonl'), 'mcp-memory')).taken).toEqual(counts)
})

test("the folder of Claude's memory tool, written by the tool of Anthropic's library", async () => {
  const tool = await BetaLocalFilesystemMemoryTool.init(at('claude'))
  const create = (path: string, file_text: string) =>
    tool.create({ command: 'create', path, file_text })
  await create('/memories/preferences.xml', '<preferences>\n  <tea>yes</tea>\n</preferences>')
  await create('/memories/people/ada.md', '# Ada\nlikes tea\n')
  await tool.insert({
    command: 'insert',
    path: '/memories/people/ada.md',
    insert_line: 2,
    insert_text: 'and proofs',
  })
  const { taken, left, data } = await importWritten(at('claude', 'memories'), 'markdown')
  expect(taken).toEqual([{ what: 'texts', count: 2 }])
  expect(left).toEqual([])
  expect(data.files['people/ada.md']).toContain('and proofs')
  await tool.delete({ command: 'delete', path: '/memories/people' })
  // The tool makes nothing but texts: one of another ending is a memory too.
  expect((await importWritten(at('claude', 'memories'), 'markdown')).taken).toEqual([
    { what: 'texts', count: 1 },
  ])
})

test('a character of ElizaOS, validated and written by its library', async () => {
  const character = parseCharacter({
    name: 'Ada',
    bio: ['Counts.', 'Proves.'],
    messageExamples: [[{ name: 'Ada', content: { text: 'Hello' } }]],
    topics: ['tea'],
    adjectives: ['exact'],
    knowledge: [{ path: 'docs/tea.md', shared: false }, 'Tea is hot.'],
    plugins: ['@elizaos/plugin-sql'],
    style: { all: ['short'] },
  })
  writeFileSync(at('character.json'), JSON.stringify(character, undefined, 2))
  const { taken, left, data } = await importWritten(at('character.json'), 'eliza')
  expect(taken).toContainEqual({ what: 'lines of the biography', count: 2 })
  expect(left.map(({ what }) => what)).toEqual(['files of knowledge (1)', 'plugins (1)'])
  // What comes back is the character again.
  expect(parseCharacter(data)).toEqual(character)
})

test('a graph of Zep, read by its client and written as JSON', async () => {
  const created_at = '2026-01-02T03:04:05Z'
  const node = { uuid: 'n1', name: 'Ada', summary: 'likes tea', labels: ['Person'], created_at }
  const edge = {
    uuid: 'e1',
    name: 'LIKES',
    fact: 'Ada likes tea',
    source_node_uuid: 'n1',
    target_node_uuid: 'n2',
    created_at,
    valid_at: created_at,
    invalid_at: '2026-02-02T03:04:05Z',
  }
  const episode = { uuid: 'p1', content: 'I like tea', created_at, source: 'message' }
  const server = await serveJson(({ address: { pathname } }) => {
    if (pathname.endsWith('/graph/node/user/ada')) return [node]
    if (pathname.endsWith('/graph/edge/user/ada')) return [edge]
    return pathname.endsWith('/graph/episodes/user/ada') ? { episodes: [episode] } : undefined
  })
  const { graph } = new ZepClient({ apiKey: 'none', baseUrl: server.url })
  const { episodes } = await graph.episode.getByUserId('ada')
  const [nodes, edges] = [
    await graph.node.getByUserId('ada', {}),
    await graph.edge.getByUserId('ada', {}),
  ]
  await server.close()
  writeFileSync(at('zep.json'), JSON.stringify({ nodes, edges, episodes }))
  const { taken } = await importWritten(at('zep.json'), 'graphiti')
  const counts = ['episodes', 'entities', 'facts', 'facts that ended'].map((what) => ({
    what,
    count: 1,
  }))
  expect(taken).toEqual(counts)
})
