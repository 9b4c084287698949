import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processorTime } from '../../../../test/harness/yardstick.ts'
import { deployment, openHarness } from '../../test/server-harness.ts'
import type { app } from './app.ts'
import { readPage } from './read-page.ts'
import { codingFor, pagePolicy } from './routes/send-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'page-'))
const document = '<!doctype html><head><title>Heirloom</title></head><body></body>'
const relay: app.Parts['relay'] = async () => expect.unreachable('Nothing is relayed here.')
const rpc: app.Parts['rpc'] = async () => expect.unreachable('Nothing is asked here.')
const script = 'export const answer = 42\n'.repeat(100)
let server: ReturnType<typeof openHarness>['server']

beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of [
    ['index.html', document],
    ['assets/main-a1b2.js', script],
  ] as const) {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  server = openHarness({ page: readPage([join(folder, 'nowhere'), folder]) }).server
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.inject({ method, url, headers })

describe('the page', () => {
  it.each(['/', '/mine', '/create', '/docs', '/docs/guides/sell'])(
    'is served at %s with its content security policy',
    async (url) => {
      const reply = await read(url)
      expect(reply.statusCode).toBe(200)
      expect(reply.body).toMatch(/^<!doctype html><head><title>.*Heirloom<\/title>.*<\/head><body>/)
      expect(reply.headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-security-policy': pagePolicy(),
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      expect(pagePolicy()).not.toMatch(/unsafe|https?:|\*/)
    },
  )

  it.each([
    [{ rpcUrl: 'https://rpc.example/v1/key' }, "connect-src 'self' https://rpc.example;"],
    [{ rpcUrl: 'http://127.0.0.1:8545' }, "connect-src 'self' http://127.0.0.1:8545;"],
    [{ rpcUrl: 'https://a;script-src.example' }, "connect-src 'self';"],
    [{}, "connect-src 'self';"],
  ])(
    'may read the node of %j where the relay sends for passkeys, and nothing else',
    async (publicChain, source) => {
      const page = readPage([folder])
      const of = { deployment: { ...deployment, publicChain }, page }
      const policies = [{ ...of, relay }, of, { ...of, relay, rpc }].map(async (parts) => {
        const paths = ['/', '/token/1', '/nowhere']
        const headers = { accept: 'text/html' }
        const replies = paths.map((url) => openHarness(parts).server.inject({ url, headers }))
        const found = (await Promise.all(replies)).map(
          (it) => `${it.headers['content-security-policy']}`,
        )
        return [...new Set(found)].map((it) => `${/connect-src[^;]*;/.exec(it)}`)
      })
      expect(await Promise.all(policies)).toEqual([
        [source],
        ["connect-src 'self';"],
        ["connect-src 'self';"],
      ])
    },
  )

  it('answers HEAD as GET, without the body', async () => {
    const [head, get] = [await read('/', {}, 'HEAD'), await read('/')]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it('has assets that a browser caches for ever, in the best coding it accepts', async () => {
    const url = '/assets/main-a1b2.js'
    const plain = await read(url)
    expect([plain.body, plain.headers['cache-control'], plain.headers['content-encoding']]).toEqual(
      [script, 'public, max-age=31536000, immutable', undefined],
    )
    const brotli = await read(url, { 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(script)
    const gzip = await read(url, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(script)
  })

  describe.each(['/', '/assets/main-a1b2.js'])('%s', (url) => {
    it('has a weak tag, since its codings differ in their bytes', async () => {
      const codings = ['identity', 'gzip', 'br']
      const replies = await Promise.all(codings.map((it) => read(url, { 'accept-encoding': it })))
      const tags = new Set(replies.map(({ headers }) => headers.etag))
      expect([...tags]).toEqual([expect.stringMatching(/^W\/"[^"]+"$/)])
    })

    it.each([
      ['its tag', (tag: string) => tag],
      ['its tag, as a strong one', (tag: string) => tag.replace('W/', '')],
      ['a list with its tag', (tag: string) => `"other" ,W/"a, b", ${tag}`],
      ['any tag', () => ' * '],
    ])('is not sent again to a client that has %s', async (_, condition) => {
      const { headers } = await read(url)
      const again = await read(url, { 'if-none-match': condition(String(headers.etag)) })
      expect([again.statusCode, again.body]).toEqual([304, ''])
      expect(again.headers).toMatchObject({ etag: headers.etag, vary: 'accept-encoding' })
    })

    it.each(['', '"other"', 'W/"other", "*"', '"'])(
      'is sent to a client that has %j',
      async (condition) => {
        expect((await read(url, { 'if-none-match': condition })).statusCode).toBe(200)
      },
    )
  })

  it.each(['/nope', '/account/nope', '/docs/guides/nope', '/token/nope'])(
    'says that there is no page at %s, whatever the client has',
    async (url) => {
      const headers = { accept: 'text/html' }
      const { etag, statusCode } = await read(url, headers).then((it) => ({
        etag: String(it.headers.etag),
        statusCode: it.statusCode,
      }))
      expect(statusCode).toBe(404)
      for (const condition of [etag, '*']) {
        const again = await read(url, { ...headers, 'if-none-match': condition })
        expect([again.statusCode, again.body]).toEqual([404, document])
      }
    },
  )

  it.each(['/assets/other.js', '/assets/..%2Findex.html', '/assets/__proto__', '/elsewhere'])(
    'has no file %s',
    async (url) => {
      const reply = await read(url)
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'route/not-found'])
    },
  )

  it('costs a few times what a page costs that is not there, however often it is requested', async () => {
    const costOf = (url: string) =>
      processorTime(async () => {
        for (let query = 0; query < 200; query++) {
          await read(`${url}?search=${query}`, { 'accept-encoding': 'br', accept: 'text/html' })
        }
      })
    const [, missing, found] = [await costOf('/'), await costOf('/nope'), await costOf('/')]
    // Compressing at each request made it some fifty times.
    expect(found / missing).toBeLessThan(10)
  })

  it('is absent when it was not built', () => {
    expect(readPage([join(folder, 'nowhere')])).toBeUndefined()
  })
})

it.each([
  ['', 'identity'],
  ['identity', 'identity'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, br;q=0.1', 'br'],
  ['br;q=0.0', 'identity'],
])('the coding for "%s" is %s', (accepted, coding) => {
  expect(codingFor(accepted)).toBe(coding)
})
