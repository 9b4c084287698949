import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { MutantJob, MutantResult } from './worker.ts'

/** Runs jobs in a pool of workers, each in a process of its own. */
export async function runWorkerPool(
  jobs: readonly (() => MutantJob)[],
  size: number,
  onResult: (index: number, end: string) => void,
): Promise<void> {
  const queue = [...jobs]
  await Promise.all(Array.from({ length: size }, () => runWorker(queue, onResult)))
}

async function runWorker(
  queue: (() => MutantJob)[],
  onResult: (index: number, end: string) => void,
): Promise<void> {
  const worker = fork(join(import.meta.dirname, 'worker.ts'))
  await messageOf(worker)
  for (let next = queue.shift(); next; next = queue.shift()) {
    worker.send(next())
    const { index, end } = (await messageOf(worker)) as MutantResult
    onResult(index, end)
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
