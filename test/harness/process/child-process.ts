import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/** Ends a process, unless it has ended by itself, and returns how it ended. */
export async function end(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return child.exitCode ?? child.signalCode
}

/** Returns the first line of a process's output that a pattern is in, and lets the rest flow by. */
export async function firstLine(output: Readable | null, pattern = /^/): Promise<string> {
  const input = output ?? Readable.from([])
  for await (const line of createInterface({ input })) {
    if (!pattern.test(line)) continue
    input.resume()
    return line
  }
  throw new Error('The process ended before it was ready.')
}
