import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../../config/config.ts'

/** Where a command runs: all that it reads from and writes to. */
export type Terminal = {
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Stream
  readonly stderr: Stream
  /** Returns what is aborted at Ctrl-C; until it is called, Ctrl-C ends the process. */
  readonly interrupted: () => AbortSignal
}

type Stream = Writable & { readonly isTTY?: boolean }

/** Returns the terminal, pipe or file that this process was started with. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr } = process
  // A reader that goes away early, as `head` does, is told of by the write that it missed.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
  return {
    env,
    stdout,
    stderr,
    // Opened by the first that asks: it takes time, and most commands read nothing.
    get stdin() {
      return process.stdin
    },
    interrupted,
  }
}

/** The exit code of what Ctrl-C ended, as shells have it. */
export const interruptedCode = 130

function interrupted(): AbortSignal {
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(interruptedCode)
    controller.abort()
  })
  return controller.signal
}

/** Tells whether a person sees what goes to a stream, and may be shown colours and progress. */
export function isSeen({ env }: Pick<Terminal, 'env'>, { isTTY }: Pick<Stream, 'isTTY'>): boolean {
  return isTTY === true && !env.NO_COLOR && !env.CI && env.TERM !== 'dumb'
}

/** Tells whether there is a person to be asked. */
export function isAnswered({ env, stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && !env.CI
}
