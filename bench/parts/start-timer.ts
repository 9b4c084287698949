import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/harness/process/free-port.ts'
import { serveRequests } from './child.ts'
import { addressOf, type Environment, end, spawnServer } from './server-process.ts'

/** A request to start a server in an environment, or Node with an empty program. */
export type StartRequest = { readonly environment: Environment | undefined }

/** The times of a start, in milliseconds. */
export type StartTimes = {
  /** The time until the first response; for Node until its exit. */
  readonly answered: number
  /** The time until all parts of the server are ready. */
  readonly ready: number
  /** The number of tokens in the first response. */
  readonly tokens: number
}

// Runs in a process of its own with little memory, because a process with more memory needs longer
// to start another, which would distort short times more than long ones.

serveRequests<StartRequest>(({ environment }) =>
  environment === undefined ? startNode() : startServerWith(environment),
)

async function startNode(): Promise<StartTimes> {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'exit')
  const answered = performance.now() - began
  return { answered, ready: answered, tokens: 0 }
}

async function startServerWith(environment: Environment): Promise<StartTimes> {
  const port = await freePort()
  const began = performance.now()
  const child = spawnServer({ environment: { ...environment, PORT: String(port) } })
  const ready = readyAt(addressOf(child))
  const tokens = await firstResponse(new URL(`http://127.0.0.1:${port}/api/memory?limit=20`))
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

/** Repeats a request until the server listens. */
async function firstResponse(url: URL): Promise<number> {
  for (;;) {
    const body = await bodyOf(url).catch(() => undefined)
    if (body === undefined) await pause(2)
    else return (JSON.parse(body) as { readonly items: readonly unknown[] }).items.length
  }
}

/** Requests a URL with as little work as possible, because it runs during the measurement. */
async function bodyOf(url: URL): Promise<string> {
  const request = get(url, { agent: false })
  const [response] = await once(request, 'response')
  return text(response)
}
