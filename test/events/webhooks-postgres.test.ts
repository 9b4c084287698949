import { rmSync } from 'node:fs'
import { postgresStore } from '@heirloom/adapters/store'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { webhooksOver } from '../../packages/http/test/open-webhooks.ts'
import { type Happenings, happenings, idsOf } from '../harness/events/event-history.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { openReceiver } from '../harness/events/receiver.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop('fast')
  rmSync(postgres.folder, { recursive: true })
})

/** Opens one more process's share of the webhooks; its end is that of its connections. */
async function replica({ catalogue }: Happenings) {
  const store = await postgresStore(postgres.url.href)
  const hooks = await webhooksOver(store, { catalogue })
  const close = async () => {
    await hooks.close()
    await store.close()
  }
  return { hooks, close }
}

test('replicas on one database send each event once, and go on where one ended', async () => {
  const course = happenings()
  const receiver = await openReceiver()
  const [one, ...others] = await Promise.all([course, course, course].map(replica))
  onTestFinished(async () => {
    for (const { close } of others) await close()
    await receiver.close()
  })
  const added = await one?.hooks.add({ url: receiver.url, kinds: undefined, tokenId: undefined })
  receiver.secret = added?.secret ?? ''
  for (let block = 0; block < 5; block++) course.mine(4)
  await receiver.until(() => receiver.received.length >= 20)
  await one?.close()
  for (let block = 0; block < 5; block++) course.mine(4)
  await receiver.until(() => receiver.received.some(({ id }) => id === course.entries().at(-1)?.id))
  const ids = idsOf(receiver.received)
  expect([...new Set(ids)]).toEqual(idsOf(course.entries()))
  // What was on its way when the leader ended may come again, and nothing else.
  expect(ids.length).toBeLessThanOrEqual(course.entries().length + 1)
  expect(receiver.received.every(({ signed }) => signed)).toBe(true)
})
