import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Published } from '../packages/publish.ts'
import { end, firstLine } from '../process/child-process.ts'
import { hostCommands } from '../process/command-host.ts'
import { launcher } from '../process/server.ts'
import { pythonProgram } from '../python/run-python.ts'
import { changeFile, type LineChange, lineChangeOf } from './line-change.ts'

const root = join(import.meta.dirname, '../../..')

/** A step of a guide: the action for one of its code blocks. */
export type Step =
  | { readonly kind: 'install' | 'run' | 'serve'; readonly commands: string }
  | { readonly kind: 'file'; readonly name: string; readonly content: string }
  | { readonly kind: 'change'; readonly name: string; readonly change: LineChange }
  | { readonly kind: 'printed'; readonly lines: string }
  | { readonly kind: 'stop' }

/**
 * Parses the steps of a guide. The info string of a block defines its action: `sh` runs commands,
 * `sh server` starts a server, `sh stop` stops it, `js NAME` and `json NAME` write files, `diff NAME`
 * changes lines of one, and `text` is the expected output of the commands before it, in which `…`
 * matches anything.
 */
export function stepsOf(guide: string): readonly Step[] {
  return [...guide.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', body = '']) => {
    const [language = '', word] = info.split(' ')
    if (language === 'text') return { kind: 'printed', lines: body }
    if (language === 'diff') {
      return { kind: 'change', name: requireName(word, info), change: lineChangeOf(body) }
    }
    if (language !== 'sh') return { kind: 'file', name: requireName(word, info), content: body }
    return stepOfShell(word, body)
  })
}

/** The steps of a reader in one folder: those of a whole guide, or of its beginning and one part. */
export type Walk = { readonly title: string; readonly steps: readonly Step[] }

/**
 * Returns the walks through a guide. Where its parts have diffs, each of them is a walk of its own
 * after the text before the first part; any other guide is one walk with an empty title.
 */
export function walksOf(guide: string): readonly Walk[] {
  const [beginning = '', ...parts] = guide.split(/^(?=## )/m)
  const adopting = parts.filter((part) => /^```diff/m.test(part))
  if (adopting.length === 0) return [{ title: '', steps: stepsOf(guide) }]
  return adopting.map((part) => ({
    title: part.slice('## '.length, part.indexOf('\n')),
    steps: stepsOf(beginning + part),
  }))
}

function stepOfShell(word: string | undefined, body: string): Step {
  if (word === 'stop') return { kind: 'stop' }
  if (word === 'server') return { kind: 'serve', commands: body }
  return { kind: body.startsWith('npm install') ? 'install' : 'run', commands: body }
}

function requireName(name: string | undefined, info: string): string {
  if (name === undefined) throw new Error(`a block of ${info} has no action`)
  return name
}

type Running = { readonly process: ChildProcess; readonly url: string }

/** A reader of guides, with a folder in which our packages are installed. */
export type Reader = {
  /** Takes the steps in order; fails when a result differs from the guide. */
  readonly follow: (steps: readonly Step[]) => Promise<void>
  /** Stops all servers, and removes the folder. */
  readonly close: () => Promise<void>
}

export declare namespace openReader {
  type Options = {
    /** The node at port 8545, for the guides that name it. */
    readonly node?: URL
    /** The client that was packed from this workspace, for the guides that use it. */
    readonly packed?: Pick<Published, 'workspace'>
    /** Whether each command is a process, also outside the long tier. */
    readonly inProcesses?: boolean
  }
}

/** Creates a reader with the packages of this workspace. */
export async function openReader(options: openReader.Options = {}): Promise<Reader> {
  const { node, packed, inProcesses = false } = options
  const home = mkdtempSync(join(tmpdir(), 'guide-'))
  const host = inProcesses ? undefined : await hostCommands()
  installPackages(home, packed && join(packed.workspace, 'dist/client'), host?.program)
  const servers = new Map<string, Running>()
  // Replaces the ports of the guide by the free ports that are used here.
  const adapt = (words: string) =>
    [...servers].reduce(
      (all, [port, { url }]) => all.replaceAll(origin(port), url),
      node === undefined ? words : words.replaceAll(origin('8545'), node.origin),
    )
  const env = {
    PATH: `${join(home, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
    HOME: home,
    LOG_LEVEL: 'error',
    // Many scripts load the same packages.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    // No package of Python is installed: viem signs in the place of eth-account.
    PYTHONPATH: join(root, 'test/harness/python/stand-in'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const shell = (commands: string, more = {}) => {
    const url = servers.get('3000')?.url
    const serverUrl = url === undefined ? {} : { HEIRLOOM_URL: url }
    return spawn('bash', ['-euo', 'pipefail', '-c', adapt(commands).replaceAll('npx ', '')], {
      cwd: home,
      env: { ...env, ...serverUrl, ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }
  const stop = async (port: string) => {
    const running = servers.get(port)?.process
    servers.delete(port)
    if (running !== undefined) await end(running, 'SIGTERM')
  }
  const serve = async (commands: string) => {
    const [, port = '3000'] = /\bPORT=(\d+)/.exec(commands) ?? []
    await stop(port)
    // The last line starts the server; the lines before it run first.
    const free = commands.replace(`PORT=${port}`, 'PORT=0').replace(/npx (?=.*\n?$)/, 'exec ')
    const running = shell(free, { PORT: '0' })
    servers.set(port, { process: running, url: await firstLine(running.stdout, /^http/) })
  }
  let printed = ''
  const run = async (commands: string) => {
    const running = shell(withVariables(commands))
    const [output, [code]] = await Promise.all([text(running.stdout), once(running, 'exit')])
    expect(code, commands).toBe(0)
    printed = output
  }
  const take = async (step: Step) => {
    switch (step.kind) {
      case 'file':
        return writeFileSync(join(home, step.name), adapt(step.content))
      case 'change':
        return changeFile(join(home, step.name), step.change)
      case 'serve':
        return serve(step.commands)
      case 'run':
        return run(step.commands)
      case 'stop':
        return stop('3000')
      case 'printed':
        return expectPrinted(printed, step.lines)
      case 'install':
        return expect(installations).toContain(step.commands)
    }
  }
  return {
    async follow(steps) {
      for (const step of steps) await take(step)
    },
    async close() {
      for (const port of [...servers.keys()]) await stop(port)
      await host?.close()
      rmSync(home, { recursive: true })
    },
  }
}

/** Keeps the variables of the commands for the next ones, as a terminal does. */
const withVariables = (commands: string): string =>
  [
    'set -a',
    '[ ! -f .variables ] || . ./.variables',
    commands,
    "export -p | grep -v ' HEIRLOOM_URL=' > .variables",
  ].join('\n')

/** Describes what the guides install beside our packages. `installPackages` links all of it. */
const foreign = [
  '@langchain/core @langchain/langgraph @langchain/langgraph-checkpoint',
  '@mastra/core @mastra/memory ai zod',
  '@openai/agents zod',
  'ai',
  'hono',
]

/** The installation in a guide, with the client or without. */
const installations = [
  'npm install @heirloom/http viem\n',
  'npm install @heirloom/http @heirloom/client viem\n',
  ...foreign.map((it) => `npm install @heirloom/http @heirloom/client viem ${it}\n`),
]

/** The packages of others that guides use. */
export const foreignPackages: readonly string[] = [
  ...new Set(['viem', ...foreign.flatMap((it) => it.split(' '))]),
]

const origin = (port: string) => `http://127.0.0.1:${port}`

/** Links the packages as a package manager would install them. */
function installPackages(home: string, client: string | undefined, program = launcher): void {
  const modules = join(home, 'node_modules')
  mkdirSync(join(modules, '@heirloom'), { recursive: true })
  mkdirSync(join(modules, '.bin'))
  for (const name of ['core', 'adapters', 'http', 'testkit']) {
    symlinkSync(join(root, 'packages', name), join(modules, '@heirloom', name))
  }
  if (client !== undefined) symlinkSync(client, join(modules, '@heirloom/client'))
  for (const name of foreignPackages) linkPackage(modules, name)
  writeFileSync(join(modules, '.bin/heirloom'), program, { mode: 0o755 })
  symlinkSync(pythonProgram(), join(modules, '.bin/python3'))
  writeFileSync(join(home, 'package.json'), '{"type":"module","private":true}\n')
}

/** Links a package of the workspace into a folder of modules. */
export function linkPackage(modules: string, name: string): void {
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), join(modules, name))
}

/** Compares the output with the expected lines; `…` matches anything, line breaks included. */
function expectPrinted(printed: string, lines: string): void {
  const pattern = lines
    .trimEnd()
    .split('…')
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('[\\s\\S]*?')
  expect(printed.trimEnd()).toMatch(new RegExp(`^${pattern}$`))
}
