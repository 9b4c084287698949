import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { end, firstLine } from '../process/child-process.ts'

const root = join(import.meta.dirname, '../../..')

/** What the reader of a guide does at one of its blocks. */
export type Step =
  | { readonly kind: 'install' | 'run' | 'serve'; readonly commands: string }
  | { readonly kind: 'file'; readonly name: string; readonly content: string }
  | { readonly kind: 'printed'; readonly lines: string }

/**
 * Returns the steps of a guide. The word after a block's language says what it is: `sh` is run, `sh
 * server` goes on while the others run, `js NAME` and `json NAME` are files, `text` is what the
 * commands before it print, where `…` stands for anything.
 */
export function stepsOf(guide: string): readonly Step[] {
  return [...guide.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', body = '']) => {
    const [language = '', word] = info.split(' ')
    if (language === 'text') return { kind: 'printed', lines: body }
    if (language !== 'sh') return { kind: 'file', name: named(word, info), content: body }
    if (word === 'server') return { kind: 'serve', commands: body }
    return { kind: body.startsWith('npm install') ? 'install' : 'run', commands: body }
  })
}

function named(name: string | undefined, info: string): string {
  if (name === undefined) throw new Error(`no reader knows what to do with a block of ${info}`)
  return name
}

type Running = { readonly process: ChildProcess; readonly url: string }

/** Somebody who follows a guide in a folder of their own, with our packages installed. */
export type Reader = {
  /** Takes the steps one after the other; fails where something is not as the guide says. */
  readonly follow: (steps: readonly Step[]) => Promise<void>
  readonly leave: () => Promise<void>
}

/** Returns a reader whose packages are those of this workspace, and who finds `node` at port 8545. */
export function openReader(node: URL): Reader {
  const home = mkdtempSync(join(tmpdir(), 'guide-'))
  installed(home)
  const servers = new Map<string, Running>()
  // A guide names the usual ports; here each server takes one that is free.
  const here = (words: string) =>
    [...servers].reduce(
      (all, [port, { url }]) => all.replaceAll(origin(port), url),
      words.replaceAll(origin('8545'), node.origin),
    )
  const env = {
    ...{ PATH: `${join(home, 'node_modules/.bin')}${delimiter}${process.env.PATH}` },
    ...{ HOME: home, LOG_LEVEL: 'error' },
  }
  const shell = (commands: string, more = {}) => {
    const url = servers.get('3000')?.url
    const where = url === undefined ? {} : { HEIRLOOM_URL: url }
    return spawn('bash', ['-euo', 'pipefail', '-c', here(commands).replaceAll('npx ', '')], {
      cwd: home,
      env: { ...env, ...where, ...more },
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
    // The last line is the server; those before it are done while none runs.
    const free = commands.replace(`PORT=${port}`, 'PORT=0').replace(/npx (?=.*\n?$)/, 'exec ')
    const running = shell(free, { PORT: '0' })
    servers.set(port, { process: running, url: await firstLine(running.stdout, /^http/) })
  }
  let printed = ''
  const run = async (commands: string) => {
    const running = shell(commands)
    const [output, [code]] = await Promise.all([text(running.stdout), once(running, 'exit')])
    expect(code, commands).toBe(0)
    printed = output
  }
  const take = async (step: Step) => {
    switch (step.kind) {
      case 'file':
        return writeFileSync(join(home, step.name), here(step.content))
      case 'serve':
        return serve(step.commands)
      case 'run':
        return run(step.commands)
      case 'printed':
        return expectPrinted(printed, step.lines)
      case 'install':
        return expect(step.commands).toBe(installation)
    }
  }
  return {
    async follow(steps) {
      for (const step of steps) await take(step)
    },
    async leave() {
      for (const port of [...servers.keys()]) await stop(port)
      rmSync(home, { recursive: true })
    },
  }
}

/** What every guide begins with; `installed` leaves the same. */
const installation = 'npm install @heirloom/http viem\n'

const origin = (port: string) => `http://127.0.0.1:${port}`

/** Puts the packages where a package manager would. */
function installed(home: string): void {
  const modules = join(home, 'node_modules')
  mkdirSync(join(modules, '@heirloom'), { recursive: true })
  mkdirSync(join(modules, '.bin'))
  for (const name of ['core', 'adapters', 'http', 'testkit']) {
    symlinkSync(join(root, 'packages', name), join(modules, '@heirloom', name))
  }
  symlinkSync(join(root, 'node_modules/viem'), join(modules, 'viem'))
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'packages/http/src/cli.ts')}' "$@"\n`
  writeFileSync(join(modules, '.bin/heirloom'), command, { mode: 0o755 })
  writeFileSync(join(home, 'package.json'), '{"type":"module","private":true}\n')
}

/** Compares line by line; `…` stands for anything within a line, and alone for any lines. */
function expectPrinted(printed: string, lines: string): void {
  const pattern = lines
    .trimEnd()
    .split('…')
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('[\\s\\S]*?')
  expect(printed.trimEnd()).toMatch(new RegExp(`^${pattern}$`))
}
