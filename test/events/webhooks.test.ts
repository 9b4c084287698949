import { setImmediate } from 'node:timers/promises'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import { tokenId } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sender } from '../../packages/adapters/src/webhooks/send.ts'
import { type EventHistory, eventHistory, idsOf } from '../harness/events/event-history.ts'
import { acceptedEvents, type Behaviour, openReceiver } from '../harness/events/receiver.ts'
import { allEvents, fastClock, openStore, openWebhooks } from '../harness/events/webhooks.ts'

const behaviour = fc.constantFrom<Behaviour>(
  ...(['take', 'take', 'take', 'fail', 'redirect', 'drop', 'hang', 'switch'] as const),
  ...(['chatter', 'trickle'] as const),
)
/** A change of the history while events are delivered. */
type Step = (history: EventHistory) => Promise<void>
const restart: Step = async () => undefined
const mining = (events: number): Step => named(`mine ${events}`, async ({ mine }) => mine(events))
const undoing = (blocks: number): Step => named(`undo ${blocks}`, async ({ undo }) => undo(blocks))
const waiting = (turns: number): Step =>
  named(`wait ${turns}`, async () => {
    for (let turn = 0; turn < turns; turn++) await setImmediate()
  })
/** Names a step, for the report of a failed property. */
const named = (name: string, step: Step): Step =>
  Object.assign(step, { [fc.toStringMethod]: () => name })
const restoring = named('restore', async ({ restore }) => restore())
const step = fc.oneof(
  { weight: 4, arbitrary: fc.nat(5).map(mining) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map(undoing) },
  { weight: 1, arbitrary: fc.constant(restart) },
  { weight: 1, arbitrary: fc.constant(restoring) },
  { weight: 2, arbitrary: fc.nat(30).map(waiting) },
)

describe('a webhook', () => {
  test('receives every event at least once, in order and signed, despite failures', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(behaviour), async (steps, behaviours) => {
        const history = eventHistory()
        const store = await sqliteJobStore(':memory:')
        const receiver = await openReceiver(behaviours)
        // A receiver that hangs costs so long; one that is only slow gets the event again.
        const send = sender({ allows: () => true, timeout: 50 })
        let webhooks = await openWebhooks(store, history, { send })
        receiver.secret = (await webhooks.add({ url: receiver.url, ...allEvents })).secret
        for (const step of steps) {
          await step(history)
          if (step !== restart) continue
          await webhooks.close()
          webhooks = await openWebhooks(store, history, { send })
        }
        history.mine(1)
        const expected = () => idsOf(history.entries()).join()
        await receiver.until(() => idsOf(acceptedEvents(receiver)).join() === expected())
        expect(receiver.received.filter(({ signed }) => !signed)).toEqual([])
        await webhooks.close()
        await receiver.close()
        await store.close()
      }),
      { numRuns: 40 },
    )
  })

  test('receives the kinds and the token it subscribed to, and every reorganisation', async () => {
    const [history, receiver] = [eventHistory(), await openReceiver()]
    onTestFinished(receiver.close)
    const webhooks = await openWebhooks(await openStore(), history)
    onTestFinished(webhooks.close)
    const filter = { kinds: ['transfer'] as const, tokenId: tokenId(1n) }
    await webhooks.add({ url: receiver.url, ...filter })
    history.mine(7)
    await receiver.until(() => receiver.received.length === 2)
    history.undo(1)
    history.mine(1)
    await receiver.until(() => receiver.received.length === 4)
    expect(receiver.received.map(({ kind, id }) => [kind, id])).toEqual([
      ['transfer', '1-0-00000001'],
      ['transfer', '1-6-00000001'],
      ['reorganised', '1-6-00000001-reorganised-1'],
      ['transfer', '1-0-00010001'],
    ])
  })

  test('starts with the next event', async () => {
    const [history, receiver] = [eventHistory(), await openReceiver()]
    onTestFinished(receiver.close)
    history.mine(3)
    const webhooks = await openWebhooks(await openStore(), history)
    onTestFinished(webhooks.close)
    await webhooks.add({ url: receiver.url, ...allEvents })
    history.mine(1)
    await receiver.until(() => receiver.received.length > 0)
    expect(receiver.received[0]?.id).toBe('2-0-00000002')
  })

  test('that fails keeps its position, waits longer each time, and does not delay others', async () => {
    const history = eventHistory()
    const broken = await openReceiver(Array.from({ length: 12 }, () => 'fail' as const))
    const sound = await openReceiver()
    onTestFinished(() => Promise.all([broken.close(), sound.close()]).then(() => undefined))
    const clock = fastClock()
    const failures: number[] = []
    // Each failure takes a number in the moment that its delay is computed: while it is saved, the
    // pause of another loop may advance the clock.
    const random = () => {
      failures.push(clock.now())
      return 0
    }
    const webhooks = await openWebhooks(await openStore(), history, { ...clock, random })
    onTestFinished(webhooks.close)
    await webhooks.add({ url: broken.url, ...allEvents })
    await webhooks.add({ url: sound.url, ...allEvents })
    history.mine(3)
    await sound.until(() => sound.received.length === 3)
    await broken.until(() => broken.received.length === 15)
    expect(idsOf(broken.received)).toEqual([
      ...Array.from({ length: 12 }, () => '1-0-00000001'),
      ...['1-0-00000001', '1-1-00000001', '1-2-00000001'],
    ])
    const delays = failures.slice(1).map((at, nth) => at - (failures[nth] ?? 0))
    const shortest = delays.map((_, attempts) => Math.min(3_600_000, 1000 * 2 ** attempts))
    for (const [nth, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(shortest[nth] ?? 0)
      expect(delay).toBeLessThan((shortest[nth] ?? 0) + 5000)
    }
  })

  test('is not delayed by a slow one after an error of the store', async () => {
    const history = eventHistory()
    const [slow, quick] = [await openReceiver(['hang']), await openReceiver()]
    onTestFinished(() => Promise.all([slow.close(), quick.close()]).then(() => undefined))
    const storeFailed = Promise.withResolvers<void>()
    const observe = ({ kind }: WebhookEvent) => {
      if (kind === 'trouble') storeFailed.resolve()
    }
    const store = await openStore()
    const send = sender({ allows: () => true, timeout: 600_000 })
    const webhooks = await openWebhooks(store, history, { send, observe })
    onTestFinished(webhooks.close)
    await webhooks.add({ url: slow.url, ...allEvents })
    history.mine(1)
    await slow.until(() => slow.received.length === 1)
    await webhooks.add({ url: quick.url, ...allEvents })
    await store.db.schema.alterTable('webhook').renameTo('elsewhere').execute()
    await storeFailed.promise
    await store.db.schema.alterTable('elsewhere').renameTo('webhook').execute()
    history.mine(1)
    await quick.until(() => quick.received.length === 1)
  })

  test('shows why it fails, but neither the response nor the secret', async () => {
    const history = eventHistory()
    const receiver = await openReceiver(Array.from({ length: 1000 }, () => 'fail' as const))
    onTestFinished(receiver.close)
    const { promise: failed, resolve } = Promise.withResolvers<void>()
    const pause = (_: number, stop: AbortSignal) =>
      new Promise<void>((leave) => stop.addEventListener('abort', () => leave()))
    const observe = ({ kind }: WebhookEvent) => {
      if (kind === 'failed') resolve()
    }
    const webhooks = await openWebhooks(await openStore(), history, {
      now: () => 5_000_000,
      pause,
      observe,
    })
    onTestFinished(webhooks.close)
    const { secret } = await webhooks.add({ url: receiver.url, ...allEvents })
    history.mine(1)
    await failed
    const [webhook] = await webhooks.all()
    expect(webhook?.failing).toEqual({
      attempts: 1,
      since: 5_000_000,
      nextAt: 5_001_000,
      problem: 'answered with status 500',
    })
    expect(JSON.stringify(await webhooks.all(), bigintAsText)).not.toContain(secret)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
  })

  test('that is removed receives nothing more, and cannot be removed again', async () => {
    const [history, receiver] = [eventHistory(), await openReceiver()]
    onTestFinished(receiver.close)
    const webhooks = await openWebhooks(await openStore(), history)
    onTestFinished(webhooks.close)
    const { id } = await webhooks.add({ url: receiver.url, ...allEvents })
    await webhooks.remove(id)
    await expect(webhooks.remove(id)).rejects.toThrow(
      expect.objectContaining({ code: 'webhook/not-found' }),
    )
    await webhooks.add({ url: receiver.url, kinds: ['card'], tokenId: undefined })
    history.mine(4)
    await receiver.until(() => receiver.received.length === 2)
    expect(receiver.received.map(({ kind }) => kind)).toEqual(['card', 'card'])
  })

  test('is refused when there are a hundred already', async () => {
    const webhooks = await openWebhooks(await openStore(), eventHistory())
    onTestFinished(webhooks.close)
    const add = () => webhooks.add({ url: 'http://127.0.0.1:1/', ...allEvents })
    const added = await Promise.all(Array.from({ length: 100 }, add))
    await expect(add()).rejects.toThrow(expect.objectContaining({ code: 'webhook/too-many' }))
    await webhooks.remove(added[41]?.id ?? '')
    const { id } = await add()
    expect((await webhooks.all()).map((it) => it.id)[41]).toBe(id)
  })
})

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
