import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyMark, npx, type Use, usesOf } from '../../packages/http/page/src/token/uses.ts'
import { openReader, type Reader } from '../harness/docs/guide.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

let registry: Published
let reader: Reader

const url = 'http://127.0.0.1:3000'
const uses = usesOf({ tokenId: '1', url, format: undefined })
/** Stands for the id of the grant that the owner makes, which the shell reads from a file. */
const grantMark = `0x${'ab'.repeat(32)}`
const byGrant = usesOf({ tokenId: '1', url, format: undefined, grant: grantMark })
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
    { kind: 'run', commands: 'KEY=.heirloom/agent.key' },
  ])
})
afterAll(async () => {
  await reader?.close()
  await registry?.close()
})

const key = '$(cat $KEY)'
const grantId = '"$(cat reader.grant)"'
const withKey = (command: string) => `HEIRLOOM_PRIVATE_KEY="${key}" ${command}`

/** Runs a command of a snippet in the folder where the packages are installed, and expects what it prints. */
const run = (commands: string, lines: string) =>
  reader.follow([
    { kind: 'run', commands },
    { kind: 'printed', lines },
  ])

/** Returns the call of an agent that is asked as a snippet says, by the grant that it names. */
const callOf = (about: string) => {
  const grant = /by the grant (\w+)/.exec(about)?.[1]
  const params = { name: 'search_in', arguments: { memory: '1', text: 'exact words', grant } }
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return call.replaceAll(grantMark, `'${grantId}'`)
}

/** Has an agent's program start the tools as a snippet says, and ask the memory. */
function ask(call: string, env: readonly string[], words: readonly string[]) {
  const started = words.join(' ').replace(`${npx} `, '')
  const set = env.map((it) => `"${it}"`).join(' ')
  return run(`echo '${call}' | env ${set} ${started}`.replaceAll(keyMark, key), `…${learned}…`)
}

/** Writes a file with the id of the grant, where it names one. */
const write = (name: string, content: string) =>
  reader.follow([
    { kind: 'file', name, content },
    ...(content.includes(grantMark)
      ? [{ kind: 'run', commands: `sed -i.bak s/${grantMark}/${grantId}/ ${name}` } as const]
      : []),
  ])

/** Writes a program that shows a tool of a snippet at work, and runs it. */
const answer = async (text: string, called: string) => {
  const content = `${text}\nconst answer = await ${called}\nconsole.log(JSON.stringify(answer))\n`
  await write('tool.mts', content)
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
  text.replaceAll(grantMark, grantId).replaceAll(keyMark, `"${key}"`).replaceAll(`${npx} `, 'npx ')

const walks: Readonly<Record<string, (use: Use) => Promise<void>>> = {
  Claude: async ({ text, about }) => {
    const [set = '', started = ''] = text.split(' -- ')
    await ask(
      callOf(about),
      [...set.matchAll(/--env (\S+)/g)].map(([, it = '']) => it),
      started.split(' '),
    )
  },
  MCP: async ({ text, about }) => {
    const { command, args, env } = (JSON.parse(text) as Settings).mcpServers.heirloom
    await ask(
      callOf(about),
      Object.entries(env).map(([name, value]) => `${name}=${value}`),
      [command, ...args],
    )
  },
  Command: ({ text }) => run(installed(text), `…${learned}…`),
  TypeScript: async ({ text }) => {
    await write('use.mts', text)
    await run(withKey('node use.mts'), `…${learned}…`)
  },
  Python: async ({ text }) => {
    await write('use.py', text)
    await run(withKey('python3 use.py'), `…${learned}…`)
  },
  Letta: ({ text }) => run(`${installed(text)}\ncat memory-1/*`, `…${learned}…`),
  LangGraph: ({ text }) =>
    answer(text, "remember.invoke({ question: 'what are the exact words?' })"),
  Mastra: ({ text }) =>
    answer(text, "remember.execute!({ question: 'what are the exact words?' }, {} as never)"),
}

test('every snippet of the page has a walk', () => {
  expect(uses.map(({ name }) => name)).toEqual(Object.keys(walks))
})

test.each(uses)('what the page shows for $name works', async (use) => {
  await walks[use.name]?.(use)
})

test('what the page shows to the reader of a grant works, in each of the ways that know grants', async () => {
  const make = `
const { generatePrivateKey, privateKeyToAddress } = require('viem/accounts')
const key = generatePrivateKey()
fs.writeFileSync('reader.key', key)
fs.writeFileSync('reader.address', privateKeyToAddress(key))`
  const day = `$(node -p 'new Date(Date.now() + 864e5).toISOString().slice(0, 10)')`
  const grant = `npx heirloom grant 1 --to "$(cat reader.address)" --until "${day}" --json > grant.json`
  await reader.follow([
    { kind: 'file', name: 'make.cjs', content: `const fs = require('node:fs')${make}` },
    { kind: 'run', commands: `node make.cjs\n${withKey(grant)}` },
    {
      kind: 'run',
      commands: "node -p 'require(`./grant.json`).id' > reader.grant\nKEY=reader.key",
    },
    { kind: 'run', commands: 'rm -f memory-1.json*' },
  ])
  const names = byGrant.map(({ name }) => name)
  expect(names).toEqual(Object.keys(walks).filter((name) => name !== 'Letta'))
  for (const use of byGrant) await walks[use.name]?.(use)
})

test('an agent file of Letta is what Letta imports', () => {
  const [letta] = usesOf({ tokenId: '1', url, format: 'letta-af' }).filter(
    ({ name }) => name === 'Letta',
  )
  expect(letta?.about).toContain('Import it in Letta')
})
