import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import express from 'express'
import fc from 'fast-check'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sender } from '../../packages/adapters/src/webhooks/send.ts'
import { signatureOf } from '../../packages/adapters/src/webhooks/webhook.ts'
import {
  createWebhookReceiver,
  type ReceiverOptions,
  type WebhookReceiver,
} from '../../packages/http/src/webhook-receiver/index.ts'
import { listenOnLoopback } from '../../packages/http/test/listen-on-loopback.ts'

const secret = 'the secret that the server returned'
const at = 1_800_000_000

/** Signs a body as the server does. */
function signed(body: string, { timestamp = at, by = secret } = {}) {
  const signature = signatureOf({ secret: by, timestamp, body })
  const headers = { 'x-heirloom-timestamp': `${timestamp}`, 'x-heirloom-signature': signature }
  return { headers: { ...headers, 'content-type': 'application/json' }, body }
}

const eventOf = (id: string, more: object = {}) =>
  JSON.stringify({ id, kind: 'mint', block: id.split('-')[0], ...more })

function receiverOf(options: Partial<ReceiverOptions> = {}) {
  const ids: string[] = []
  const onEvent = ({ id }: { readonly id: string }) => void ids.push(id)
  const receiver = createWebhookReceiver({ secret, onEvent, now: () => at * 1000, ...options })
  return { receiver, ids }
}

const handled = { status: 200, text: 'Handled.' }

describe('a delivery', () => {
  test('is handled exactly when the secret signed its bytes lately', async () => {
    const age = fc.integer({ min: -400, max: 400 })
    const change = fc.constantFrom('none', 'body', 'timestamp', 'signature', 'secret', 'absent')
    const property = fc.asyncProperty(age, fc.string(), change, async (seconds, said, changed) => {
      const { receiver, ids } = receiverOf()
      const by = changed === 'secret' ? `${secret}.` : secret
      const { headers, body } = signed(eventOf('1-0-a', { said }), { timestamp: at - seconds, by })
      const altered = {
        none: { headers, body },
        secret: { headers, body },
        body: { headers, body: `${body} ` },
        timestamp: { headers: { ...headers, 'x-heirloom-timestamp': `${at - seconds + 1}` }, body },
        signature: {
          headers: {
            ...headers,
            'x-heirloom-signature': headers['x-heirloom-signature'].replace(/.$/, (it) =>
              it === '0' ? '1' : '0',
            ),
          },
          body,
        },
        absent: { headers: {}, body },
      }[changed]
      const { status } = await receiver.receive(altered)
      const isGood = changed === 'none' && Math.abs(seconds) <= 300
      expect([status, ids]).toEqual(isGood ? [200, ['1-0-a']] : [401, []])
    })
    await fc.assert(property)
  })

  test('of one of several secrets is handled, so that one can replace another', async () => {
    const { receiver } = receiverOf({ secret: ['new', secret] })
    expect(await receiver.receive(signed(eventOf('1-0-a')))).toEqual(handled)
    const unset = undefined as never
    for (const empty of ['', [], [secret, ''], unset])
      expect(() => receiverOf({ secret: empty })).toThrow(/secret is empty/)
  })

  test('that is copied changes nothing, and one that is sent again neither', async () => {
    const { receiver, ids } = receiverOf()
    const delivery = signed(eventOf('1-0-a'))
    await receiver.receive(delivery)
    expect((await receiver.receive(delivery)).status).toBe(200)
    const again = signed(eventOf('1-0-a'), { timestamp: at + 9 })
    expect((await receiver.receive(again)).status).toBe(200)
    expect(ids).toEqual(['1-0-a'])
  })

  test('comes again after a reorganisation, and a copy of that notice does nothing', async () => {
    const { receiver, ids } = receiverOf()
    const notice = signed(eventOf('2-0-0', { kind: 'reorganised' }))
    for (const id of ['1-0-a', '2-0-b']) await receiver.receive(signed(eventOf(id)))
    await receiver.receive(notice)
    const later = { timestamp: at + 1 }
    for (const id of ['1-0-a', '2-0-b']) await receiver.receive(signed(eventOf(id), later))
    await receiver.receive(notice)
    await receiver.receive(signed(eventOf('2-0-b'), { timestamp: at + 2 }))
    expect(ids).toEqual(['1-0-a', '2-0-b', '2-0-0', '2-0-b'])
  })

  test('whose handler fails is refused, and handled when it comes again', async () => {
    const errors: unknown[] = []
    let isFull = true
    const { receiver } = receiverOf({
      onEvent: () => {
        if (isFull) throw new Error('The disk at /var/db is full.')
      },
      onError: (error) => errors.push(error),
    })
    const delivery = signed(eventOf('1-0-a'))
    const failed = await receiver.receive(delivery)
    expect(failed).toEqual({ status: 500, text: 'The event was not handled.' })
    isFull = false
    expect(await receiver.receive(delivery)).toEqual(handled)
    expect(errors).toHaveLength(1)
  })

  test('that comes again while it is handled waits for the same work', async () => {
    const started: (() => void)[] = []
    const onEvent = () => new Promise<void>((resolve) => void started.push(resolve))
    const { receiver } = receiverOf({ onEvent })
    const both = [0, 1].map((more) =>
      receiver.receive(signed(eventOf('1-0-a'), { timestamp: at + more })),
    )
    await expect.poll(() => started.length).toBe(1)
    for (const finish of started) finish()
    expect(await Promise.all(both)).toEqual([handled, handled])
    expect(started).toHaveLength(1)
  })

  test.each(['', 'null', '[]', '{"id":1}', '{"id":"1-0-a"', '"text"'])(
    'of the signed body %j is no event',
    async (body) => {
      const { receiver, ids } = receiverOf()
      expect(await receiver.receive(signed(body))).toMatchObject({ status: 400 })
      expect(ids).toEqual([])
    },
  )
})

/** Serves the receiver with each framework, and returns its URL. */
const frameworks: Readonly<Record<string, (receiver: WebhookReceiver) => Promise<string>>> = {
  'node:http': (receiver) => listen(receiver.node),
  Express: (receiver) => {
    const app = express()
    app.post('/', receiver.node)
    return listen(app)
  },
  'Express with its raw parser': (receiver) => {
    const app = express()
    app.post('/', express.raw({ type: '*/*' }), receiver.node)
    return listen(app)
  },
  Fastify: async (receiver) => {
    const app = fastify()
    await app.register(receiver.fastify, { url: '/' })
    app.post('/json', async ({ body }) => body)
    onTestFinished(() => app.close())
    return app.listen({ host: '127.0.0.1', port: 0 })
  },
  Hono: async (receiver) => {
    const app = new Hono()
    app.post('/', ({ req }) => receiver.fetch(req.raw))
    return listen(async (request, response) => {
      const body: Buffer[] = []
      for await (const part of request) body.push(part)
      const headers = Object.entries(request.headers).map(([name, it]) => [name, `${it}`] as const)
      const init = { method: 'POST', headers: [...headers] as [string, string][] }
      const answer = await app.request('/', { ...init, body: Buffer.concat(body) })
      response.writeHead(answer.status).end(await answer.text())
    })
  },
}

async function listen(handle: RequestListener): Promise<string> {
  const { url, close } = await listenOnLoopback(createServer(handle))
  onTestFinished(close)
  return url
}

describe.each(Object.entries(frameworks))('with %s', (_, serve) => {
  test('the deliveries of a server arrive, and others are refused', async () => {
    const { receiver, ids } = receiverOf({ maxBytes: 1000 })
    const url = await serve(receiver)
    const send = sender({ allows: () => true })
    const stop = new AbortController().signal
    const deliver = (delivery: ReturnType<typeof signed>) => send({ url, ...delivery }, stop)
    // White space and escapes are part of what is signed.
    await deliver(signed(`${eventOf('1-0-a', { text: 'ü' })} `))
    await expect(deliver(signed(eventOf('2-0-a'), { by: 'other' }))).rejects.toThrow('status 401')
    await expect(deliver(signed(eventOf('3-0-a'), { timestamp: 1 }))).rejects.toThrow('status 401')
    const long = signed(eventOf('4-0-a', { text: 'x'.repeat(1000) }))
    await expect(deliver(long)).rejects.toThrow('status 413')
    expect(ids).toEqual(['1-0-a'])
  })
})

test('in Fastify other routes parse JSON as before', async () => {
  const url = await frameworks.Fastify?.(receiverOf().receiver)
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
  expect(await (await fetch(`${url}/json`, init)).json()).toEqual({ a: 1 })
})

test('a body that was parsed before is refused with the reason, and so is another method', async () => {
  const { receiver } = receiverOf()
  const app = express()
  app.use(express.json())
  app.all('/', receiver.node)
  const url = await listen(app)
  const answer = await fetch(url, { method: 'POST', ...signed(eventOf('1-0-a')) })
  expect([answer.status, await answer.text()]).toEqual([
    ...[500, expect.stringContaining('mount the receiver before whatever parses JSON')],
  ])
  expect((await fetch(url)).status).toBe(405)
  const read = new Request(url, { method: 'POST', ...signed(eventOf('1-0-a')) })
  await read.text()
  expect((await receiver.fetch(read)).status).toBe(500)
  expect((await receiver.fetch(new Request(url))).status).toBe(405)
})

test('a body without an announced length is not read beyond the bound', async () => {
  const { receiver } = receiverOf({ maxBytes: 10_000 })
  const url = await listen(receiver.node)
  let sent = 0
  await new Promise<void>((resolve) => {
    const request = httpRequest(url, { method: 'POST' })
    const write = () => {
      sent += 10_000
      if (sent < 10_000_000 && !request.destroyed) request.write(Buffer.alloc(10_000), write)
    }
    const end = () => {
      request.destroy()
      resolve()
    }
    request.on('error', end).on('response', end)
    write()
  })
  expect(sent).toBeLessThan(10_000_000)
})
