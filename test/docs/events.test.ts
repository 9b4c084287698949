import { eventKinds } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signatureOf } from '../../packages/adapters/src/webhooks/webhook.ts'
import { read } from './docs.ts'

const text = read('docs/events.md')

type Check = (secret: string, headers: Readonly<Record<string, string>>, body: string) => boolean

async function importCheck(): Promise<Check> {
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? []
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(12)
  return (await import(`data:text/javascript,${encodeURIComponent(program)}`)).isGenuine
}

describe('docs/events.md', () => {
  it('lists every kind of event', () => {
    const [, list = ''] = /is an event: (.*?)\. /.exec(text) ?? []
    expect(list.split(', ')).toEqual(eventKinds.map((kind) => `\`${kind}\``))
  })

  it('shows a program that detects a forged delivery', async () => {
    const isGenuine = await importCheck()
    const now = Math.floor(Date.now() / 1000)
    const age = fc.integer({ min: -200, max: 200 })
    await fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), age, (secret, body, seconds) => {
        const timestamp = now - seconds
        const headers = {
          'x-heirloom-timestamp': `${timestamp}`,
          'x-heirloom-signature': signatureOf({ secret, timestamp, body }),
        }
        expect(isGenuine(secret, headers, body)).toBe(true)
        expect(isGenuine(`${secret}x`, headers, body)).toBe(false)
        expect(isGenuine(secret, headers, `${body} `)).toBe(false)
        const later = { ...headers, 'x-heirloom-timestamp': `${timestamp + 1}` }
        expect(isGenuine(secret, later, body)).toBe(false)
        expect(isGenuine(secret, { 'x-heirloom-timestamp': `${timestamp}` }, body)).toBe(false)
      }),
    )
    const old = now - 3600
    const signature = signatureOf({ secret: 's', timestamp: old, body: '' })
    const headers = { 'x-heirloom-timestamp': `${old}`, 'x-heirloom-signature': signature }
    expect(isGenuine('s', headers, '')).toBe(false)
  })
})
