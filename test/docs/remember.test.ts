import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../packages/http/src/client/client.ts'
import { post, type RunningServer, startServer } from '../harness/process/server.ts'
import { read } from './docs.ts'

// The guide's own agent, and what happens to it between a save and its answer.
const [, program = ''] =
  /```ts agent\.mts\n([\s\S]*?)```/.exec(read('docs/guides/remember.md')) ?? []
const clientFile = new URL('../../packages/http/src/client/index.ts', import.meta.url).href
const viemFile = import.meta.resolve('viem/accounts')

let folder: string
let server: RunningServer
/** Runs when the answer to a save is there, before the agent gets it. */
let beforeAnswer: ((agent: IncomingMessage) => Promise<void>) | undefined
const between = createServer((request, response) => {
  forward(request, response).catch(() => request.socket.destroy())
})
let url: string

const serve = () => startServer({ DATA_DIR: join(folder, '.heirloom') })

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '' } = request
  const { host: _, connection: __, ...headers } = request.headers as Record<string, string>
  const body = method === 'GET' ? {} : { body: await buffer(request) }
  const reply = await fetch(`${server.url}${path}`, { method, headers, ...body })
  const answer = Buffer.from(await reply.arrayBuffer())
  const happen = path.endsWith('/snapshot') ? beforeAnswer : undefined
  if (happen !== undefined) {
    beforeAnswer = undefined
    await happen(request)
    throw new Error('The answer is lost.')
  }
  const {
    'content-encoding': ___,
    'content-length': ____,
    ...shown
  } = Object.fromEntries(reply.headers)
  response.writeHead(reply.status, shown).end(answer)
}

const start = () =>
  spawn(process.execPath, ['agent.mts'], {
    cwd: folder,
    env: { ...process.env, HEIRLOOM_URL: url },
  })

/** Runs the agent, and returns what it says. */
async function visit(): Promise<string> {
  const agent = start()
  const [said, errors] = await Promise.all([text(agent.stdout), text(agent.stderr)])
  expect(errors).toBe('')
  return said.trim()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remember-'))
  const own = program.replace("'@heirloom/client'", `'${clientFile}'`)
  writeFileSync(join(folder, 'agent.mts'), own.replace("'viem/accounts'", `'${viemFile}'`))
  server = await serve()
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
})
afterAll(async () => {
  between.close()
  await server.end('SIGKILL')
  rmSync(folder, { recursive: true })
})

const says = (visits: number, version: number, token: number) =>
  `I have been here ${visits} times. Remembered as version ${version}, token ${token}.`

// They follow each other: each goes on with what the one before left.
test('the agent of the guide gets the version of a save whose server was killed before its answer', async () => {
  beforeAnswer = async () => {
    await server.end('SIGKILL')
    server = await serve()
  }
  expect(await visit()).toBe(says(0, 1, 1))
})

test('goes on from a save whose answer it did not live to see', async () => {
  const agent = start()
  beforeAnswer = async () => {
    agent.kill('SIGKILL')
  }
  await once(agent, 'exit')
  expect(await visit()).toBe(says(2, 3, 3))
})

test('goes on from its own memory, whatever else its wallet saved', async () => {
  const other = { data: { visits: 99 }, metadata: { category: 'support' } }
  expect((await post(server.url, '/api/memory/snapshot', JSON.stringify(other))).status).toBe(201)
  expect(await visit()).toBe(says(3, 4, 5))
})

test('counts each visit of several agents at once', async () => {
  const said = await Promise.all([visit(), visit(), visit()])
  const visits = said.map((it) => Number(/here (\d+) times/.exec(it)?.[1]))
  expect(visits.toSorted()).toEqual([4, 5, 6])
  const { items } = await createClient({ url: server.url }).memory('ada').log()
  expect(items.map(({ version }) => version)).toEqual([7, 6, 5, 4, 3, 2, 1])
})
