import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../packages/http/src/client/client.ts'
import { type CommandShell, commandShell } from '../harness/docs/command-shell.ts'
import { type HostedServer, hostServer } from '../harness/process/server.ts'
import { read } from './docs.ts'

const [, names = ''] = read('docs/versions.md').split('\n## Names\n')
const linesOf = (text: string) => text.replaceAll('\\\n', ' ').split('\n').filter(Boolean)
/** Puts a later day in place of that of the page, since the versions here are saved today. */
const onLaterDay = (code: string) => code.replaceAll('2026-10-01', '9999-12-31')
const blocks = [...names.matchAll(/```(sh|js)\n([\s\S]*?)```/g)].map(
  ([, kind = '', code = '']) => ({
    kind,
    code: onLaterDay(code),
  }),
)
const [commands, requests, recovery] = blocks.filter((it) => it.kind === 'sh')

let folder: string
let server: HostedServer
let shell: CommandShell
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'versions-'))
  const DATA_DIR = join(folder, '.heirloom')
  server = await hostServer({ DATA_DIR })
  shell = commandShell(folder, { HEIRLOOM_URL: server.url, DATA_DIR, HOME: folder })
  writeFileSync(join(folder, 'memory.json'), '{"data":{"a":1},"metadata":{"category":"support"}}')
})
afterAll(() => rmSync(folder, { recursive: true }))

const namesNow = async () =>
  (await createClient({ url: server.url }).names()).items.map(({ name }) => name)

/** Runs a line as a person does, who answers the question whether a name is forgotten. */
const type = async (line: string) => {
  const question = line.includes('forget') ? ([['Forget the name', 'y']] as const) : []
  const { code, out } = await shell.onTerminal(line, {}, ...question)
  expect([line, code], out).toEqual([line, 0])
  return out
}

// They follow each other: each goes on with what the one before left.
describe('docs/versions.md, on names', () => {
  it('shows commands that run in their order', async () => {
    const printed: string[] = []
    for (const line of linesOf(commands?.code ?? '')) printed.push(await type(line))
    expect(printed.join('')).toMatch(/Renamed[^\n]*ada to ada\/trading[\s\S]*Forgotten/)
    expect(await namesNow()).toEqual([])
  })

  it('shows a program that runs', async () => {
    const program = blocks.find(({ kind }) => kind === 'js')?.code ?? ''
    const run = new Function(
      'client',
      'data',
      `return (async () => {${program}
      return [newest, first.data, items.length, last.version] })()`,
    )
    const key = readFileSync(join(folder, '.heirloom/agent.key'), 'utf8').trim() as Hex
    const client = createClient({ url: server.url, account: privateKeyToAccount(key) })
    expect(await run(client, { mood: 'calm' })).toEqual([undefined, { mood: 'calm' }, 1, 1])
    expect(await namesNow()).toEqual([])
  })

  it('shows requests that rename and forget', async () => {
    await type('heirloom save ada/trading memory.json')
    for (const line of (requests?.code ?? '').split(/\n(?=curl)/)) {
      const here = line.replace('http://127.0.0.1:3000', server.url).replace('curl -s', 'curl -sf')
      expect((await shell.run(here)).code, line).toBe(0)
    }
    expect(await namesNow()).toEqual([])
  })

  it('shows how the names of a stopped server come back', async () => {
    await server.end()
    const printed: string[] = []
    for (const line of linesOf(recovery?.code ?? '')) printed.push(await type(line))
    expect(printed.join('')).toMatch(/Dry run: it would add 2 versions[\s\S]*Added 2 versions/)
  })
})
