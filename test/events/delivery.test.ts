import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { idsOf, type SentEvent } from '../harness/events/event-history.ts'
import { newSubscriber, subscribe } from '../harness/events/event-source.ts'
import { acceptedEvents, openReceiver } from '../harness/events/receiver.ts'
import { post, type RunningServer, startServer } from '../harness/process/server.ts'

const memory = '{"data":{},"metadata":{"category":"research"}}'

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'events-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function startWithFolder(folder: string): Promise<RunningServer> {
  const server = await startServer({ DATA_DIR: folder, WEBHOOKS_TO_PRIVATE: 'true' })
  onTestFinished(() => server.end('SIGKILL').then(() => undefined))
  return server
}

/** Mints so many memories, and returns all events once the last mint is among them. */
async function mint({ url }: RunningServer, count: number): Promise<readonly SentEvent[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const reply = await post(url, '/api/memory/snapshot', memory)
    expect(reply.status).toBe(201)
    ids.push(((await reply.json()) as { tokenId: string }).tokenId)
  }
  const all = newSubscriber()
  const last = ids.at(-1)
  await subscribe(`${url}/api/events?after=start`, all, ({ known }) =>
    known.some(
      (it) => it.kind === 'mint' && (it as SentEvent & { tokenId: string }).tokenId === last,
    ),
  )
  return all.known
}

test('an event stream delivers every event once, across stops and kills of the server', async () => {
  const folder = dataFolder()
  const subscriber = newSubscriber()
  let all: readonly SentEvent[] = []
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
    const server = await startWithFolder(folder)
    const upTo = subscriber.received + 3
    const receiving = subscribe(
      `${server.url}/api/events?after=start`,
      subscriber,
      ({ received }) => received >= upTo,
    )
    all = await mint(server, 4)
    await receiving
    const openStream = subscribe(`${server.url}/api/events`, newSubscriber(), () => false).catch(
      () => undefined,
    )
    const code = await server.end(signal)
    if (signal === 'SIGTERM') expect(code).toBe(0)
    await openStream
  }
  const server = await startWithFolder(folder)
  await subscribe(`${server.url}/api/events`, subscriber, ({ known }) => known.length >= all.length)
  expect(idsOf(subscriber.known)).toEqual(idsOf(all))
  expect(new Set(idsOf(all)).size).toBe(all.length)
})

test('a webhook receives every event in order, however often the server is killed', async () => {
  const folder = dataFolder()
  const receiver = await openReceiver(['take', 'fail', 'take', 'drop', 'take', 'take', 'fail'])
  onTestFinished(receiver.close)
  let server = await startWithFolder(folder)
  const made = await post(server.url, '/api/webhooks', JSON.stringify({ url: receiver.url }))
  expect(made.status).toBe(201)
  receiver.secret = ((await made.json()) as { secret: string }).secret
  let all: readonly SentEvent[] = []
  for (let round = 0; round < 4; round++) {
    const before = receiver.received.length
    all = await mint(server, 3)
    await receiver.until(() => receiver.received.length > before)
    await server.end('SIGKILL')
    server = await startWithFolder(folder)
  }
  await receiver.until(() => acceptedEvents(receiver).length >= all.length)
  expect(idsOf(acceptedEvents(receiver))).toEqual(idsOf(all))
  expect(receiver.received.filter(({ signed }) => !signed)).toEqual([])
  const list = await (await fetch(`${server.url}/api/webhooks`)).text()
  expect(list).not.toContain(receiver.secret)
})
