import { arbitraryBundleText } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { interceptingProxy, type Reply } from '../../test/intercepting-proxy.ts'
import { memory, other } from '../../test/server-harness.ts'
import { isHeirloomError } from './heirloom-error.ts'
import type { Progress } from './transport/decode-response.ts'

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('any text is downloaded byte for byte, and verified', async () => {
  const { client, clientAt } = await openClientHarness()
  const owner = clientAt({ account: other })
  const form = fc.constantFrom(
    (text: string) => text,
    (text: string) => new TextEncoder().encode(text),
  )
  const beside = fc.record(
    {
      card: fc.constant({ title: 'A }memory{' }),
      recipient: fc.constant(other.address),
      parentTokenId: fc.constantFrom(0, 0n, '0'),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(arbitraryBundleText, form, beside, async ({ text, document }, as, more) => {
      const minted = await client.snapshot({ document: as(text), ...more })
      const opener = more.recipient === undefined ? client : owner
      const opened = await opener.download(minted.tokenId)
      expect(textOf(opened.document)).toBe(document)
      expect(opened.contentHash).toBe(minted.contentHash)
      expect({ data: opened.data, metadata: opened.metadata }).toEqual(JSON.parse(document))
    }),
  )
})

test('an object is encoded as JSON.stringify does', async () => {
  const { client } = await openClientHarness()
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (data) => {
      const { tokenId } = await client.snapshot({ ...memory, data })
      const { document } = await client.download(tokenId)
      expect(textOf(document)).toBe(JSON.stringify({ data, metadata: memory.metadata }))
    }),
  )
})

test('refuses a value without a JSON form, and a text with lone surrogates', async () => {
  const { client, state } = await openClientHarness()
  const before = await state()
  const isRefused = (error: object) =>
    isHeirloomError(error, 'bundle/malformed') && !('status' in error)
  await expect(client.snapshot({ ...memory, data: { n: 1n } })).rejects.toSatisfy(isRefused)
  const document = '{"data":{"a":"\ud800"},"metadata":{"category":"x"}}'
  await expect(client.snapshot({ document })).rejects.toSatisfy(isRefused)
  expect(await state()).toEqual(before)
})

test('the options of a snapshot cannot turn another text into an object', async () => {
  const { client, state } = await openClientHarness()
  const before = await state()
  const text = JSON.stringify(memory)
  for (const document of [`${text} x`, `${text}}`, `${text},`, '', '[]', '"}"']) {
    const snapshot = client.snapshot({ document, recipient: other.address })
    await expect(snapshot, document).rejects.toMatchObject({ status: 400 })
  }
  expect(await state()).toEqual(before)
})

test('fails without an account', async () => {
  const { clientAt } = await openClientHarness()
  const { code } = await clientAt({ account: undefined })
    .download(1)
    .catch((it) => it)
  expect(code).toBe('client/no-account')
})

/** The manipulations by a dishonest server, given the responses for token 2 and for token 1. */
const manipulations: Readonly<
  Record<string, (own: Responses, first: Responses) => Partial<Responses>>
> = {
  'a changed byte': ({ opened }) => ({ opened: { ...opened, body: flipBit(opened.body) } }),
  'a missing byte': ({ opened }) => ({ opened: { ...opened, body: opened.body.slice(1) } }),
  'another salt': (own) => withHeader(own, 'x-content-salt', `0x${'5'.repeat(64)}`),
  'no salt': (own) => withHeader(own, 'x-content-salt', ''),
  'another hash': (own) => withHeader(own, 'x-content-hash', `0x${'5'.repeat(64)}`),
  'another recorded hash': ({ info }) => ({
    info: { ...info, body: String(info.body).replace(/0x[0-9a-f]{8}/, '0x55555555') },
  }),
  'another memory': (_, { opened }) => ({ opened }),
  'another memory with its record': (_, first) => first,
}

type Responses = { readonly opened: Reply; readonly info: Reply }

const flipBit = (body: Reply['body']) =>
  Buffer.from(body).map((byte, at) => (at === 9 ? byte ^ 1 : byte)) as Buffer

const withHeader = ({ opened }: Responses, name: string, value: string) => ({
  opened: { ...opened, headers: { ...opened.headers, [name]: value } },
})

test.each(Object.keys(manipulations))('%s fails the verification', async (name) => {
  const { client: honest, clientAt, url } = await openClientHarness()
  await honest.snapshot(memory)
  const { tokenId } = await honest.snapshot({ ...memory, data: { mood: 'sour' } })
  await using network = await interceptingProxy(url)
  const client = clientAt({ url: network.url })
  await expect(client.download(tokenId)).resolves.toMatchObject({ data: { mood: 'sour' } })
  const replies = new Map<string, Reply>()
  network.intercept(async ({ path }, forward) => {
    const reply = await forward()
    replies.set(path, reply)
    return reply
  })
  await client.download(1)
  await client.download(tokenId)
  const responsesFor = (id: string): Responses => ({
    opened: replies.get(`/api/memory/${id}`) as Reply,
    info: replies.get(`/api/memory/${id}/info`) as Reply,
  })
  const { opened, info } = {
    ...responsesFor(tokenId),
    ...manipulations[name]?.(responsesFor(tokenId), responsesFor('1')),
  }
  network.intercept(async ({ path }) => (path.endsWith('info') ? info : opened))
  await expect(client.download(tokenId)).rejects.toMatchObject({
    code: 'client/not-verified',
    retryable: false,
    facts: { tokenId },
  })
})

test('reports the progress of uploads and downloads', async () => {
  const { client } = await openClientHarness()
  const steps: Progress[] = []
  const onProgress = (step: Progress) => steps.push(step)
  const data = { text: 'x'.repeat(300_000) }
  const { tokenId } = await client.snapshot({ ...memory, data }, { onProgress })
  const total = JSON.stringify({ ...memory, data }).length
  expect(steps[0]).toEqual({ phase: 'upload', bytes: 0, total })
  expect(steps.at(-1)).toEqual({ phase: 'upload', bytes: total, total })
  expect(steps.length).toBeGreaterThan(2)
  expect(steps.map(({ bytes }) => bytes)).toEqual(
    steps.map(({ bytes }) => bytes).toSorted(ascending),
  )
  steps.length = 0
  await client.download(tokenId, { onProgress })
  expect(steps.at(-1)).toEqual({ phase: 'download', bytes: total, total })
  expect(new Set(steps.map(({ phase }) => phase))).toEqual(new Set(['download']))
})

const ascending = (one: number, other: number) => one - other
