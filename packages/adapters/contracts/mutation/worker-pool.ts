import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Answer, Question } from './worker.ts'

/** Answers questions with as many workers at once as told, each in a process of its own. */
export async function askCrew(
  questions: readonly (() => Question)[],
  size: number,
  note: (index: number, end: string) => void,
): Promise<void> {
  const waiting = [...questions]
  await Promise.all(Array.from({ length: size }, () => work(waiting, note)))
}

async function work(
  waiting: (() => Question)[],
  note: (index: number, end: string) => void,
): Promise<void> {
  const worker = fork(join(import.meta.dirname, 'worker.ts'))
  await messageOf(worker)
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    worker.send(next())
    const { index, end } = (await messageOf(worker)) as Answer
    note(index, end)
  }
  worker.disconnect()
}

function messageOf(worker: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null) => reject(new Error(`A worker ended with ${code}.`))
    worker.once('exit', end)
    worker.once('message', (message) => {
      worker.off('exit', end)
      resolve(message)
    })
  })
}
