import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/** Ends a process with a signal, if it still runs, and returns its exit code or signal. */
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

/** Returns the first line of output that matches a pattern, and discards the rest. */
export async function firstLine(output: Readable | null, pattern = /^/): Promise<string> {
  const input = output ?? Readable.from([])
  for await (const line of createInterface({ input })) {
    if (!pattern.test(line)) continue
    input.resume()
    return line
  }
  throw new Error('The process ended before it was ready.')
}

/** Starts a program of Node whose output is read. */
export function startCommand(words: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { stdout: child.stdout, stderr: child.stderr, code }
}
