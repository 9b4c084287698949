import { isFailure } from '@heirloom/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isPublicAddress } from '../../packages/adapters/src/webhooks/receiver-url.ts'
import { type ResolvedAddress, sender } from '../../packages/adapters/src/webhooks/send.ts'
import { eventHistory } from '../harness/events/event-history.ts'
import { openReceiver } from '../harness/events/receiver.ts'
import { allEvents, openStore, openWebhooks } from '../harness/events/webhooks.ts'
import { longestWait } from '../tier.ts'

describe('the address of a webhook', () => {
  const trySend = async (
    url: string,
    resolutions: readonly (readonly string[])[],
    allows = isPublicAddress,
  ) => {
    const remaining = [...resolutions]
    const names: string[] = []
    const resolve = async (name: string): Promise<readonly ResolvedAddress[]> => {
      names.push(name)
      const addresses = remaining.shift() ?? []
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    const send = sender({ allows, timeout: longestWait, resolve })
    const message = { url, headers: {}, body: '{}' }
    const outcome = await send(message, new AbortController().signal).then(
      () => 'sent',
      (error: Error) => error.message,
    )
    return { outcome, names }
  }

  test.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['::1'],
    ['fd00::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::a00:1'],
    ['2002:7f00:1::1'],
    ['8.8.8.8', '127.0.0.1'],
  ])('that resolves to %s is not connected to', async (...addresses) => {
    const { outcome } = await trySend('http://rebound.example/', [addresses])
    expect(outcome).toBe('is not on the public network')
  })

  test('is resolved once, so that a second DNS response cannot redirect it', async () => {
    const receiver = await openReceiver()
    onTestFinished(receiver.close)
    const { port } = new URL(receiver.url)
    const url = `http://rebound.example:${port}/`
    const isOther = (address: string) => address === '127.0.0.2'
    // Nobody listens at the first address; the receiver does at the second.
    const { outcome, names } = await trySend(url, [['127.0.0.2'], ['127.0.0.1']], isOther)
    expect([outcome, names]).toEqual(['could not be reached (ECONNREFUSED)', ['rebound.example']])
    expect(receiver.received).toEqual([])
    await trySend(url, [['127.0.0.1']], () => true)
    expect(receiver.received).toHaveLength(1)
  })

  test.each([
    ['http://127.0.0.1/'],
    ['http://127.1/'],
    ['http://0x7f.0.0.1/'],
    ['http://017700000001/'],
    ['http://2130706433/'],
    ['http://127。0。0。1/'],
    ['http://[::1]/'],
    ['http://[::ffff:7f00:1]/'],
    ['http://[0:0:0:0:0:ffff:127.0.0.1]/'],
    ['http://[64:ff9b::7f00:1]/'],
    ['http://[fe80::1]/'],
    ['https://169.254.169.254/latest/meta-data'],
    ['http://192.168.0.1./'],
  ])('%s is refused when it is added and when it is sent to', async (url) => {
    const hooks = await openWebhooks(await openStore(), eventHistory(), { toPrivate: false })
    onTestFinished(hooks.close)
    const error = await hooks.add({ url, ...allEvents }).catch((it) => it)
    expect(isFailure(error, 'value/invalid')).toBe(true)
    expect((await trySend(url, [])).outcome).toBe('is not on the public network')
  })

  test.each([
    ['ftp://example.com/'],
    ['file:///etc/passwd'],
    ['example.com'],
    ['http://'],
    ['http://user@example.com/'],
    ['http://user:secret@example.com/'],
    ['http://:secret@example.com/'],
    [`http://example.com/${'x'.repeat(2048)}`],
  ])('%s is refused', async (url) => {
    const hooks = await openWebhooks(await openStore(), eventHistory())
    onTestFinished(hooks.close)
    const error = await hooks.add({ url, ...allEvents }).catch((it) => it)
    expect(isFailure(error, 'value/invalid')).toBe(true)
    expect(String(error)).not.toContain('secret')
  })
})
