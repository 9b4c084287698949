import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A program of this folder in a process of its own, which handles one request at a time. */
export type Child<Input, Output> = {
  ask(input: Input): Promise<Output>
  stop(): Promise<void>
}

/** Starts a program and waits until it is ready. */
export async function startChild<Input extends object, Output>(
  program: string,
): Promise<Child<Input, Output>> {
  const child = fork(join(import.meta.dirname, program), { serialization: 'advanced' })
  await message(child)
  return {
    ask: async (input) => {
      child.send(input)
      return (await message(child)) as Output
    },
    stop: async () => {
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}

async function message(child: ChildProcess): Promise<unknown> {
  const abort = new AbortController()
  const { signal } = abort
  try {
    const [output] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => [{ error: 'The process ended too early.' }]),
    ])
    if (output?.error !== undefined) throw new Error(output.error)
    return output
  } finally {
    abort.abort()
  }
}

/** Serves the requests of the parent process until it disconnects. */
export function serveRequests<Input>(act: (input: Input) => Promise<unknown>): void {
  const send = (message: unknown) => process.send?.(message)
  process.on('message', async (input: Input) => {
    await act(input).then(send, (error: unknown) => send({ error: String(error) }))
  })
  process.once('disconnect', () => process.exit(0))
  send({ ready: true })
}
