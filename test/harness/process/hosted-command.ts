import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import type { runCommand } from '../../../packages/http/src/cli/run-command.ts'
import { builtProgram } from '../../../packages/http/test/built-program.ts'

/** A command of the packed program that runs in this process. */
export type HostedCommand = {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves with the exit code. */
  readonly code: Promise<number>
  /** Stops the command as SIGTERM does. */
  readonly stop: () => void
}

export declare namespace hostCommand {
  type Input = {
    readonly words: readonly string[]
    readonly env: Readonly<Record<string, string | undefined>>
    /** The standard input: all of it, or a stream. */
    readonly input?: string | Uint8Array | Readable
  }
}

/**
 * Runs a command of the packed program in this process, which has loaded it: that takes a tenth of
 * the time of a process of its own. The long tier starts processes instead.
 */
export function hostCommand({ words, env, input = '' }: hostCommand.Input): HostedCommand {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const interruption = new AbortController()
  const stopped = new Promise<void>((resolve) => {
    interruption.signal.addEventListener('abort', () => resolve())
  })
  const terminal = {
    env,
    stdin: streamOf(input),
    stdout,
    stderr,
    interrupted: () => interruption.signal,
    comeLast: () => undefined,
    stopped: () => stopped,
  }
  const code = load(words[0]).then(async (run) => {
    try {
      return await run(words, terminal)
    } finally {
      stdout.end()
      stderr.end()
    }
  })
  return { stdout, stderr, code, stop: () => interruption.abort() }
}

const streamOf = (input: string | Uint8Array | Readable) =>
  input instanceof Readable ? input : Readable.from(input.length > 0 ? [input] : [])

/** Loads the packed program, in which the server is packed apart from the other commands. */
async function load(name: string | undefined): Promise<typeof runCommand> {
  const file = name === 'serve' ? 'serve.js' : 'commands.js'
  return (await import(join(dirname(builtProgram), file))).runCommand
}
