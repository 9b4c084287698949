import { postgresJobStore } from '@heirloom/adapters/job-store'
import { expect, onTestFinished, test } from 'vitest'
import { webhooksOver } from '../../packages/http/test/open-webhooks.ts'
import { type EventHistory, eventHistory, idsOf } from '../harness/events/event-history.ts'
import { openReceiver } from '../harness/events/receiver.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()

/** Opens the webhooks as another process would, with connections of its own. */
async function replica({ catalogue }: EventHistory) {
  const store = await postgresJobStore(postgres.url.href)
  const webhooks = await webhooksOver(store, { catalogue })
  const close = async () => {
    await webhooks.close()
    await store.close()
  }
  return { webhooks, close }
}

test('replicas on one database send each event once, and continue when the leader stops', async () => {
  const history = eventHistory()
  const receiver = await openReceiver()
  const [one, ...others] = await Promise.all([history, history, history].map(replica))
  onTestFinished(async () => {
    for (const { close } of others) await close()
    await receiver.close()
  })
  const added = await one?.webhooks.add({ url: receiver.url, kinds: undefined, tokenId: undefined })
  receiver.secret = added?.secret ?? ''
  for (let block = 0; block < 5; block++) history.mine(4)
  await receiver.until(() => receiver.received.length >= 20)
  await one?.close()
  for (let block = 0; block < 5; block++) history.mine(4)
  await receiver.until(() =>
    receiver.received.some(({ id }) => id === history.entries().at(-1)?.id),
  )
  const ids = idsOf(receiver.received)
  expect([...new Set(ids)]).toEqual(idsOf(history.entries()))
  // Only the event that was being sent when the leader stopped may arrive again.
  expect(ids.length).toBeLessThanOrEqual(history.entries().length + 1)
  expect(receiver.received.every(({ signed }) => signed)).toBe(true)
})
