import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyMark, npx, usesOf } from '../../packages/http/page/src/token/uses.ts'
import { openReader, type Reader } from '../harness/docs/guide.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

let registry: Published
let reader: Reader

const url = 'http://127.0.0.1:3000'
const uses = usesOf({ tokenId: '1', url, format: undefined })
const learned = 'Users prefer the exact words on the screen first.'
const memory = JSON.stringify({ learned: [learned] })

beforeAll(async () => {
  registry = await publish()
  reader = await openReader({ packed: registry })
  const commands = `printf '%s' '${memory}' | npx heirloom snapshot - --category support`
  await reader.follow([
    { kind: 'serve', commands: 'npx heirloom serve\n' },
    { kind: 'run', commands },
    { kind: 'run', commands: 'cp node_modules/@heirloom/http/python/heirloom.py .' },
  ])
})
afterAll(async () => {
  await reader?.close()
  await registry?.close()
})

const key = '$(cat .heirloom/agent.key)'
const withKey = (command: string) => `HEIRLOOM_PRIVATE_KEY="${key}" ${command}`

/** Runs a command of a snippet in the folder where the packages are installed, and expects what it prints. */
const run = (commands: string, lines: string) =>
  reader.follow([
    { kind: 'run', commands },
    { kind: 'printed', lines },
  ])

const request = { name: 'search_in', arguments: { memory: '1', text: 'exact words' } }
const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: request })

/** Has an agent's program start the tools as a snippet says, and ask the memory. */
function ask(env: readonly string[], words: readonly string[]) {
  const started = words.join(' ').replace(`${npx} `, '')
  const set = env.map((it) => `"${it}"`).join(' ')
  return run(`echo '${call}' | env ${set} ${started}`.replaceAll(keyMark, key), `…${learned}…`)
}

/** Writes a program that shows a tool of a snippet at work, and runs it. */
const answer = async (text: string, called: string) => {
  const content = `${text}\nconst answer = await ${called}\nconsole.log(JSON.stringify(answer))\n`
  await reader.follow([{ kind: 'file', name: 'tool.mts', content }])
  await run(withKey('node tool.mts'), `…${learned}…`)
}

type Settings = {
  readonly mcpServers: {
    readonly heirloom: {
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  }
}

/** Returns commands for a folder where the package is installed, with the key that the reader has. */
const installed = (text: string) =>
  text.replaceAll(keyMark, `"${key}"`).replaceAll(`${npx} `, 'npx ')

const walks: Readonly<Record<string, (text: string) => Promise<void>>> = {
  Claude: async (text) => {
    const [set = '', started = ''] = text.split(' -- ')
    await ask(
      [...set.matchAll(/--env (\S+)/g)].map(([, it = '']) => it),
      started.split(' '),
    )
  },
  MCP: async (text) => {
    const { command, args, env } = (JSON.parse(text) as Settings).mcpServers.heirloom
    await ask(
      Object.entries(env).map(([name, value]) => `${name}=${value}`),
      [command, ...args],
    )
  },
  Command: (text) => run(installed(text), `…${learned}…`),
  TypeScript: async (text) => {
    await reader.follow([{ kind: 'file', name: 'use.mts', content: text }])
    await run(withKey('node use.mts'), `…${learned}…`)
  },
  Python: async (text) => {
    await reader.follow([{ kind: 'file', name: 'use.py', content: text }])
    await run(withKey('python3 use.py'), `…${learned}…`)
  },
  Letta: (text) => run(`${installed(text)}\ncat memory-1/*`, `…${learned}…`),
  LangGraph: (text) => answer(text, "remember.invoke({ question: 'what are the exact words?' })"),
  Mastra: (text) =>
    answer(text, "remember.execute!({ question: 'what are the exact words?' }, {} as never)"),
}

test('every snippet of the page has a walk', () => {
  expect(uses.map(({ name }) => name)).toEqual(Object.keys(walks))
})

test.each(uses)('what the page shows for $name works', async ({ name, text }) => {
  await walks[name]?.(text)
})

test('an agent file of Letta is what Letta imports', () => {
  const [letta] = usesOf({ tokenId: '1', url, format: 'letta-af' }).filter(
    ({ name }) => name === 'Letta',
  )
  expect(letta?.about).toContain('Import it in Letta')
})
