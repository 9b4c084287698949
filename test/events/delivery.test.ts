import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listen, newListener } from '../harness/events/event-source.ts'
import { idsOf, type Shown } from '../harness/events/event-history.ts'
import { knownTo, openReceiver } from '../harness/events/receiver.ts'
import { post, type RunningServer, startServer } from '../harness/process/server.ts'

const memory = '{"data":{},"metadata":{"category":"research"}}'

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'events-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function started(folder: string): Promise<RunningServer> {
  const server = await startServer({ DATA_DIR: folder, WEBHOOKS_TO_PRIVATE: 'true' })
  onTestFinished(() => server.end('SIGKILL').then(() => undefined))
  return server
}

/** Mints so many memories, and returns all events once every one of them is told. */
async function mint({ url }: RunningServer, count: number): Promise<readonly Shown[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const reply = await post(url, '/api/memory/snapshot', memory)
    expect(reply.status).toBe(201)
    ids.push(((await reply.json()) as { tokenId: string }).tokenId)
  }
  const all = newListener()
  const last = ids.at(-1)
  await listen(`${url}/api/events?after=start`, all, ({ known }) =>
    known.some((it) => it.kind === 'mint' && (it as Shown & { tokenId: string }).tokenId === last),
  )
  return all.known
}

test('a listener hears every event once, across ends of the server of any kind', async () => {
  const folder = dataFolder()
  const listener = newListener()
  let all: readonly Shown[] = []
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
    const server = await started(folder)
    const upTo = listener.heard + 3
    const hearing = listen(
      `${server.url}/api/events?after=start`,
      listener,
      ({ heard }) => heard >= upTo,
    )
    all = await mint(server, 4)
    await hearing
    const lasting = listen(`${server.url}/api/events`, newListener(), () => false).catch(
      () => undefined,
    )
    const code = await server.end(signal)
    if (signal === 'SIGTERM') expect(code).toBe(0)
    await lasting
  }
  const server = await started(folder)
  await listen(`${server.url}/api/events`, listener, ({ known }) => known.length >= all.length)
  expect(idsOf(listener.known)).toEqual(idsOf(all))
  expect(new Set(idsOf(all)).size).toBe(all.length)
})

test('a webhook is told every event in order, however often the server is killed', async () => {
  const folder = dataFolder()
  const receiver = await openReceiver(['take', 'fail', 'take', 'drop', 'take', 'take', 'fail'])
  onTestFinished(receiver.close)
  let server = await started(folder)
  const made = await post(server.url, '/api/webhooks', JSON.stringify({ url: receiver.url }))
  expect(made.status).toBe(201)
  receiver.secret = ((await made.json()) as { secret: string }).secret
  let all: readonly Shown[] = []
  for (let round = 0; round < 4; round++) {
    const before = receiver.received.length
    all = await mint(server, 3)
    await receiver.until(() => receiver.received.length > before)
    await server.end('SIGKILL')
    server = await started(folder)
  }
  await receiver.until(() => knownTo(receiver).length >= all.length)
  expect(idsOf(knownTo(receiver))).toEqual(idsOf(all))
  expect(receiver.received.filter(({ signed }) => !signed)).toEqual([])
  const list = await (await fetch(`${server.url}/api/webhooks`)).text()
  expect(list).not.toContain(receiver.secret)
})
