import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A program of this folder in a process of its own, which answers one question at a time. */
export type Child<Question, Answer> = {
  ask(question: Question): Promise<Answer>
  stop(): Promise<void>
}

/** Starts a program and waits until it says that it is ready. */
export async function startChild<Question extends object, Answer>(
  program: string,
): Promise<Child<Question, Answer>> {
  const child = fork(join(import.meta.dirname, program), { serialization: 'advanced' })
  await message(child)
  return {
    ask: async (question) => {
      child.send(question)
      return (await message(child)) as Answer
    },
    stop: async () => {
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}

async function message(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController()
  const { signal } = answered
  try {
    const [answer] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => [{ error: 'The process ended too early.' }]),
    ])
    if (answer?.error !== undefined) throw new Error(answer.error)
    return answer
  } finally {
    answered.abort()
  }
}

/** Answers the questions of the process that started this one, until it lets go. */
export function answer<Question>(act: (question: Question) => Promise<unknown>): void {
  const send = (message: unknown) => process.send?.(message)
  process.on('message', async (question: Question) => {
    await act(question).then(send, (error: unknown) => send({ error: String(error) }))
  })
  process.once('disconnect', () => process.exit(0))
  send({ ready: true })
}
