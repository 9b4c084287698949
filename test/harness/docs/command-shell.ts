import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { launcher } from '../process/server.ts'

type Environment = Readonly<Record<string, string>>

/** The exit code and the output of a command line. */
export type CommandResult = {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A shell in a folder, with `heirloom` on its path. */
export type CommandShell = {
  /** Runs a command line to its end. */
  readonly run: (line: string, environment?: Environment) => Promise<CommandResult>
  /** Starts a command line. */
  readonly start: (line: string, environment?: Environment) => ChildProcess
  /** Runs a command line on a terminal, and types each answer after its prompt was shown. */
  readonly onTerminal: (
    line: string,
    environment?: Environment,
    ...answers: readonly (readonly [prompt: string, typed: string])[]
  ) => Promise<Omit<CommandResult, 'err'>>
}

/**
 * Creates a shell in a folder, with an environment for all commands. Each command is a process, unless
 * `source` is another program for it.
 */
export function commandShell(
  folder: string,
  environment: Environment,
  source = launcher,
): CommandShell {
  const bin = join(folder, '.bin')
  mkdirSync(bin, { recursive: true })
  const program = join(bin, 'heirloom')
  writeFileSync(program, source)
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
      const child = start(`exec script -qec ${quote(`stty columns 120; ${line}`)} /dev/null`, more)
      let out = ''
      const pending = [...answers]
      child.stdout.setEncoding('utf8').on('data', (data) => {
        out += data
        const [prompt = '', typed = ''] = pending[0] ?? []
        if (typed === '' || !out.includes(prompt)) return
        pending.shift()
        child.stdin.write(typed)
      })
      const [code] = await once(child, 'close')
      return { code, out }
    },
  }
}

const quote = (line: string) => `'${line.replaceAll("'", `'\\''`)}'`
