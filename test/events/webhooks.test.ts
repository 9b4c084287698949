import { setImmediate } from 'node:timers/promises'
import { sqliteJobStore } from '@heirloom/adapters/store'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import { tokenId } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sender } from '../../packages/adapters/src/webhooks/send.ts'
import { type Happenings, happenings, idsOf } from '../harness/events/event-history.ts'
import { knownTo, type Manner, openReceiver } from '../harness/events/receiver.ts'
import { everything, hurriedTime, openStore, openWebhooks } from '../harness/events/webhooks.ts'

const manner = fc.constantFrom<Manner>(
  ...(['take', 'take', 'take', 'fail', 'redirect', 'drop', 'hang', 'switch'] as const),
  ...(['chatter', 'trickle'] as const),
)
/** Something that happens while events are delivered. */
type Step = (course: Happenings) => Promise<void>
const restart: Step = async () => undefined
const mining = (events: number): Step => named(`mine ${events}`, async ({ mine }) => mine(events))
const undoing = (blocks: number): Step => named(`undo ${blocks}`, async ({ undo }) => undo(blocks))
const waiting = (turns: number): Step =>
  named(`wait ${turns}`, async () => {
    for (let turn = 0; turn < turns; turn++) await setImmediate()
  })
/** Shows a step by its name where a property fails. */
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
  test('gets every event at least once, in order and signed, whatever goes wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(manner), async (steps, manners) => {
        const course = happenings()
        const store = await sqliteJobStore(':memory:')
        const receiver = await openReceiver(manners)
        let hooks = await openWebhooks(store, course)
        receiver.secret = (await hooks.add({ url: receiver.url, ...everything })).secret
        for (const act of steps) {
          await act(course)
          if (act !== restart) continue
          await hooks.close()
          hooks = await openWebhooks(store, course)
        }
        course.mine(1)
        const wanted = () => idsOf(course.entries()).join()
        await receiver.until(() => idsOf(knownTo(receiver)).join() === wanted())
        expect(receiver.received.filter(({ signed }) => !signed)).toEqual([])
        await hooks.close()
        await receiver.close()
        await store.close()
      }),
      { numRuns: 40 },
    )
  })

  test('is told of the kinds and of the token that it asked for, and of all that is undone', async () => {
    const [course, receiver] = [happenings(), await openReceiver()]
    onTestFinished(receiver.close)
    const hooks = await openWebhooks(await openStore(), course)
    onTestFinished(hooks.close)
    const wanted = { kinds: ['transfer'] as const, tokenId: tokenId(1n) }
    await hooks.add({ url: receiver.url, ...wanted })
    course.mine(7)
    await receiver.until(() => receiver.received.length === 2)
    course.undo(1)
    course.mine(1)
    await receiver.until(() => receiver.received.length === 4)
    expect(receiver.received.map(({ kind, id }) => [kind, id])).toEqual([
      ['transfer', '1-0-00000001'],
      ['transfer', '1-6-00000001'],
      ['reorganised', '1-6-00000001-reorganised-1'],
      ['transfer', '1-0-00010001'],
    ])
  })

  test('begins with what comes next', async () => {
    const [course, receiver] = [happenings(), await openReceiver()]
    onTestFinished(receiver.close)
    course.mine(3)
    const hooks = await openWebhooks(await openStore(), course)
    onTestFinished(hooks.close)
    await hooks.add({ url: receiver.url, ...everything })
    course.mine(1)
    await receiver.until(() => receiver.received.length > 0)
    expect(receiver.received[0]?.id).toBe('2-0-00000002')
  })

  test('that fails keeps its place, waits longer each time, and holds up nobody', async () => {
    const course = happenings()
    const broken = await openReceiver(Array.from({ length: 12 }, () => 'fail' as const))
    const sound = await openReceiver()
    onTestFinished(() => Promise.all([broken.close(), sound.close()]).then(() => undefined))
    const time = hurriedTime()
    const seen: number[] = []
    const observe = (event: WebhookEvent) => {
      if (event.kind === 'failed') seen.push(time.now())
    }
    const hooks = await openWebhooks(await openStore(), course, {
      ...time,
      observe,
      random: () => 0,
    })
    onTestFinished(hooks.close)
    await hooks.add({ url: broken.url, ...everything })
    await hooks.add({ url: sound.url, ...everything })
    course.mine(3)
    await sound.until(() => sound.received.length === 3)
    await broken.until(() => broken.received.length === 15)
    expect(idsOf(broken.received)).toEqual([
      ...Array.from({ length: 12 }, () => '1-0-00000001'),
      ...['1-0-00000001', '1-1-00000001', '1-2-00000001'],
    ])
    const rests = seen.slice(1).map((at, nth) => at - (seen[nth] ?? 0))
    const least = rests.map((_, attempts) => Math.min(3_600_000, 1000 * 2 ** attempts))
    for (const [nth, rest] of rests.entries()) {
      expect(rest).toBeGreaterThanOrEqual(least[nth] ?? 0)
      expect(rest).toBeLessThan((least[nth] ?? 0) + 5000)
    }
  })

  test('is not held up by a slow one where the store was in trouble for a while', async () => {
    const course = happenings()
    const [slow, quick] = [await openReceiver(['hang']), await openReceiver()]
    onTestFinished(() => Promise.all([slow.close(), quick.close()]).then(() => undefined))
    const troubled = Promise.withResolvers<void>()
    const observe = ({ kind }: WebhookEvent) => {
      if (kind === 'trouble') troubled.resolve()
    }
    const store = await openStore()
    const send = sender({ allows: () => true, timeout: 600_000 })
    const hooks = await openWebhooks(store, course, { send, observe })
    onTestFinished(hooks.close)
    await hooks.add({ url: slow.url, ...everything })
    course.mine(1)
    await slow.until(() => slow.received.length === 1)
    await hooks.add({ url: quick.url, ...everything })
    await store.db.schema.alterTable('webhook').renameTo('elsewhere').execute()
    await troubled.promise
    await store.db.schema.alterTable('elsewhere').renameTo('webhook').execute()
    course.mine(1)
    await quick.until(() => quick.received.length === 1)
  })

  test('shows why it fails, and nothing that its receiver said or that it is signed with', async () => {
    const course = happenings()
    const receiver = await openReceiver(Array.from({ length: 1000 }, () => 'fail' as const))
    onTestFinished(receiver.close)
    const { promise: failed, resolve } = Promise.withResolvers<void>()
    const pause = (_: number, stop: AbortSignal) =>
      new Promise<void>((leave) => stop.addEventListener('abort', () => leave()))
    const observe = ({ kind }: WebhookEvent) => {
      if (kind === 'failed') resolve()
    }
    const hooks = await openWebhooks(await openStore(), course, {
      now: () => 5_000_000,
      pause,
      observe,
    })
    onTestFinished(hooks.close)
    const { secret } = await hooks.add({ url: receiver.url, ...everything })
    course.mine(1)
    await failed
    const [hook] = await hooks.all()
    expect(hook?.failing).toEqual({
      ...{ attempts: 1, since: 5_000_000, nextAt: 5_001_000, problem: 'answered with status 500' },
    })
    expect(JSON.stringify(await hooks.all(), plain)).not.toContain(secret)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
  })

  test('that is removed is told nothing more, and cannot be removed again', async () => {
    const [course, receiver] = [happenings(), await openReceiver()]
    onTestFinished(receiver.close)
    const hooks = await openWebhooks(await openStore(), course)
    onTestFinished(hooks.close)
    const { id } = await hooks.add({ url: receiver.url, ...everything })
    await hooks.remove(id)
    await expect(hooks.remove(id)).rejects.toThrow(
      expect.objectContaining({ code: 'webhook/not-found' }),
    )
    await hooks.add({ url: receiver.url, kinds: ['card'], tokenId: undefined })
    course.mine(4)
    await receiver.until(() => receiver.received.length === 2)
    expect(receiver.received.map(({ kind }) => kind)).toEqual(['card', 'card'])
  })

  test('is one of a hundred at most', async () => {
    const hooks = await openWebhooks(await openStore(), happenings())
    onTestFinished(hooks.close)
    const add = () => hooks.add({ url: 'http://127.0.0.1:1/', ...everything })
    const added = await Promise.all(Array.from({ length: 100 }, add))
    await expect(add()).rejects.toThrow(expect.objectContaining({ code: 'webhook/too-many' }))
    await hooks.remove(added[41]?.id ?? '')
    const { id } = await add()
    expect((await hooks.all()).map((it) => it.id)[41]).toBe(id)
  })
})

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
