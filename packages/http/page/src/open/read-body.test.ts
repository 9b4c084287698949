import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyOf, type Loaded } from './read-body.ts'

const bodyIn = (parts: readonly Uint8Array[], end: (it: ReadableStreamDefaultController) => void) =>
  new ReadableStream({
    start(it) {
      for (const part of parts) it.enqueue(part)
    },
    pull: end,
  })

test('a body is what came, part by part', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1 })), async (parts) => {
      const whole = Buffer.concat(parts)
      const told: Loaded[] = []
      const headers = { 'content-length': `${whole.length}` }
      const response = new Response(
        bodyIn(parts, (it) => it.close()),
        { headers },
      )
      const bytes = await bodyOf(response, (part) => told.push(part))
      expect(Buffer.from(bytes).equals(whole)).toBe(true)
      expect(told).toHaveLength(parts.length)
      const last = { loaded: whole.length, total: whole.length }
      if (parts.length > 0) expect(told.at(-1)).toEqual(last)
    }),
  )
})

test('a connection that breaks half way is one to a server that does not answer', async () => {
  const body = bodyIn([Uint8Array.of(1)], (it) => it.error(new TypeError('network error')))
  const outcome = bodyOf(new Response(body), () => undefined)
  await expect(outcome).rejects.toMatchObject({ code: 'server/unreachable', isPassing: true })
})
