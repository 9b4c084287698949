import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/harness/process/free-port.ts'
import { answer } from './child.ts'
import { addressOf, type Environment, end, spawnServer } from './server-process.ts'

/** What is to be started: a server in an environment, or Node with nothing to do. */
export type Starting = { readonly environment: Environment | undefined }

/** How long it took, in milliseconds. */
export type Started = {
  /** Until the first request was answered; for Node until it ended. */
  readonly answered: number
  /** Until the server said that all its parts are ready. */
  readonly ready: number
  /** How many tokens the first answer told of. */
  readonly tokens: number
}

// In a process of its own that holds next to nothing: to start another takes a process longer the
// more memory it has, and would slow what is short by a larger part than what is long.

answer<Starting>(({ environment }) =>
  environment === undefined ? nothing() : startedWith(environment),
)

async function nothing(): Promise<Started> {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'exit')
  const answered = performance.now() - began
  return { answered, ready: answered, tokens: 0 }
}

async function startedWith(environment: Environment): Promise<Started> {
  const port = await freePort()
  const began = performance.now()
  const child = spawnServer({ environment: { ...environment, PORT: String(port) } })
  const ready = readyAt(addressOf(child))
  const tokens = await firstAnswer(new URL(`http://127.0.0.1:${port}/api/memory?limit=20`))
  const answered = performance.now() - began
  const took = (await ready) - began
  await end(child)
  return { answered, ready: took, tokens }
}

async function readyAt(address: Promise<string>): Promise<number> {
  const response = await fetch(`${await address}/readyz`)
  if (!response.ok) throw new Error('The server is not ready.')
  return performance.now()
}

/** Asks until somebody listens. */
async function firstAnswer(url: URL): Promise<number> {
  for (;;) {
    const body = await answerAt(url).catch(() => undefined)
    if (body === undefined) await pause(2)
    else return (JSON.parse(body) as { readonly items: readonly unknown[] }).items.length
  }
}

/** Asks with as little work as may be, since it is done beside what is measured. */
async function answerAt(url: URL): Promise<string> {
  const asking = get(url, { agent: false })
  const [response] = await once(asking, 'response')
  return text(response)
}
