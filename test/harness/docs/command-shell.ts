import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { serverProgram } from '../process/server.ts'

type Environment = Readonly<Record<string, string>>

/** How a command line ended, and what it wrote. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** A shell that knows `heirloom` by its name, in a folder. */
export type CommandShell = {
  /** Runs a line to its end. */
  readonly run: (line: string, environment?: Environment) => Promise<Ended>
  /** Starts a line. */
  readonly start: (line: string, environment?: Environment) => ChildProcess
  /** Runs a line on a terminal, and types each answer once what it answers was shown. */
  readonly onTerminal: (
    line: string,
    environment?: Environment,
    ...answers: readonly (readonly [shown: string, typed: string])[]
  ) => Promise<Omit<Ended, 'err'>>
}

/** Returns a shell in a folder, with an environment for all that it runs. */
export function commandShell(folder: string, environment: Environment): CommandShell {
  const bin = join(folder, '.bin')
  mkdirSync(bin, { recursive: true })
  const program = join(bin, 'heirloom')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${serverProgram}' "$@"\n`)
  chmodSync(program, 0o755)
  const start = (line: string, more: Environment = {}) => {
    const env = { PATH: `${bin}:${process.env.PATH}`, TERM: 'xterm', ...environment, ...more }
    return spawn('bash', ['--norc', '-euo', 'pipefail', '-c', line], { cwd: folder, env })
  }
  return {
    start,
    run: async (line, more) => {
      const child = start(line, more)
      child.stdin.end()
      const [out, err, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ])
      return { code, out, err }
    },
    onTerminal: async (line, more, ...answers) => {
      const child = start(`exec script -qec ${quoted(`stty columns 120; ${line}`)} /dev/null`, more)
      let out = ''
      const waiting = [...answers]
      child.stdout.setEncoding('utf8').on('data', (data) => {
        out += data
        const [shown = '', typed = ''] = waiting[0] ?? []
        if (typed === '' || !out.includes(shown)) return
        waiting.shift()
        child.stdin.write(typed)
      })
      const [code] = await once(child, 'close')
      return { code, out }
    },
  }
}

const quoted = (line: string) => `'${line.replaceAll("'", `'\\''`)}'`
