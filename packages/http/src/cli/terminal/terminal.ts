import { constants, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../../config/environment.ts'

/** The environment and the streams of a command. */
export type Terminal = {
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Stream
  readonly stderr: Stream
  /** Returns a signal that Ctrl-C aborts. Until this is called, Ctrl-C ends the process. */
  readonly interrupted: () => AbortSignal
  /** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once. */
  readonly stopped: () => Promise<void>
  /** Lets other processes of the machine come first, for the rest of this process. */
  readonly comeLast: () => void
}

type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Returns the environment and the streams of this process. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr } = process
  // A write to a reader that is gone, such as `head`, reports the error itself.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
  return {
    env,
    stdout,
    stderr,
    // Lazy: opening it takes time, and most commands read nothing.
    get stdin() {
      return process.stdin
    },
    interrupted,
    stopped,
    comeLast: () => setPriority(constants.priority.PRIORITY_LOW),
  }
}

/** The exit code after Ctrl-C: 128 + SIGINT. */
export const interruptedCode = 130

function interrupted(): AbortSignal {
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(interruptedCode)
    controller.abort()
  })
  return controller.signal
}

// One Ctrl-C may arrive several times within a moment: from the shell, and again from npm.
const sameSignalWithin = 1000

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      first ??= { signal, at: performance.now() }
      const isSecond = signal !== first.signal || performance.now() - first.at > sameSignalWithin
      if (isSecond) process.exit(1)
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}

/** Returns the characters in a line of a terminal; one that does not know its width has 80. */
export const columnsOf = ({ columns }: Pick<Stream, 'columns'>): number => columns || 80

/** Returns true for a stream to a terminal that may show colours and progress. */
export function isRichTerminal(
  { env }: Pick<Terminal, 'env'>,
  { isTTY }: Pick<Stream, 'isTTY'>,
): boolean {
  return isTTY === true && !env.NO_COLOR && !env.CI && env.TERM !== 'dumb'
}

/** Returns true when a person can answer a prompt. */
export function canPrompt({ env, stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && !env.CI
}
