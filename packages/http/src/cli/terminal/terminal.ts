import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../../config/config.ts'

/** The environment and the streams of a command. */
export type Terminal = {
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Stream
  readonly stderr: Stream
  /** Returns a signal that Ctrl-C aborts. Until this is called, Ctrl-C ends the process. */
  readonly interrupted: () => AbortSignal
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
