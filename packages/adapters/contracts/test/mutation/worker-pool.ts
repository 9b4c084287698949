import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { MutantJob, MutantResult } from './worker.ts'

/** A batch of jobs, which is made when a worker is free for it. */
type Batch = () => readonly MutantJob[]

/** Runs batches of jobs in a pool of workers, each in a process of its own. */
export async function runWorkerPool(
  batches: readonly Batch[],
  size: number,
  onResult: (result: MutantResult) => void,
): Promise<void> {
  const queue = [...batches]
  await Promise.all(Array.from({ length: size }, () => runWorker(queue, onResult)))
}

async function runWorker(queue: Batch[], onResult: (result: MutantResult) => void): Promise<void> {
  const worker = fork(join(import.meta.dirname, 'worker.ts'))
  await messageOf(worker)
  for (let next = queue.shift(); next; next = queue.shift()) {
    worker.send(next())
    for (const result of (await messageOf(worker)) as readonly MutantResult[]) onResult(result)
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
