import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LoadedBytes, readBody } from './download-memory.ts'

const bodyIn = (parts: readonly Uint8Array[], end: (it: ReadableStreamDefaultController) => void) =>
  new ReadableStream({
    start(it) {
      for (const part of parts) it.enqueue(part)
    },
    pull: end,
  })

test('joins the parts of a body and reports each', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1 })), async (parts) => {
      const whole = Buffer.concat(parts)
      const reported: LoadedBytes[] = []
      const headers = { 'content-length': `${whole.length}` }
      const response = new Response(
        bodyIn(parts, (it) => it.close()),
        { headers },
      )
      const blob = await readBody(response, (part) => reported.push(part))
      expect(Buffer.from(await blob.arrayBuffer()).equals(whole)).toBe(true)
      expect(reported).toHaveLength(parts.length)
      const last = { loaded: whole.length, total: whole.length }
      if (parts.length > 0) expect(reported.at(-1)).toEqual(last)
    }),
  )
})

test('reports a broken connection as a server that does not answer', async () => {
  const body = bodyIn([Uint8Array.of(1)], (it) => it.error(new TypeError('network error')))
  const outcome = readBody(new Response(body), () => undefined)
  await expect(outcome).rejects.toMatchObject({ code: 'server/unreachable', isRetryable: true })
})
