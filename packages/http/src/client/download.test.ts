import { arbitraryBundleText } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { interceptingProxy, type Reply } from '../../test/intercepting-proxy.ts'
import { memory, other } from '../../test/server-harness.ts'
import type { Progress } from './transport/counted-body.ts'

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('whatever text is snapshot comes back, byte for byte and verified', async () => {
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

test('an object is written as JSON once, whatever its names and numbers', async () => {
  const { client } = await openClientHarness()
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (data) => {
      const { tokenId } = await client.snapshot({ ...memory, data })
      const { document } = await client.download(tokenId)
      expect(textOf(document)).toBe(JSON.stringify({ data, metadata: memory.metadata }))
    }),
  )
})

test('refuses what has no JSON form, and a text that is not Unicode', async () => {
  const { client, state } = await openClientHarness()
  const before = await state()
  const refused = { code: 'bundle/malformed', status: undefined }
  await expect(client.snapshot({ ...memory, data: { n: 1n } })).rejects.toMatchObject(refused)
  const document = '{"data":{"a":"\ud800"},"metadata":{"category":"x"}}'
  await expect(client.snapshot({ document })).rejects.toMatchObject(refused)
  expect(await state()).toEqual(before)
})

test('a text that is no object stays none, whatever goes beside it', async () => {
  const { client, state } = await openClientHarness()
  const before = await state()
  const text = JSON.stringify(memory)
  for (const document of [`${text} x`, `${text}}`, `${text},`, '', '[]', '"}"']) {
    const snapshot = client.snapshot({ document, recipient: other.address })
    await expect(snapshot, document).rejects.toMatchObject({ status: 400 })
  }
  expect(await state()).toEqual(before)
})

test('opens nothing without an account', async () => {
  const { clientAt } = await openClientHarness()
  const { code } = await clientAt({ account: undefined })
    .download(1)
    .catch((it) => it)
  expect(code).toBe('client/no-account')
})

/** What a server that lies may do to the answers about token 2. */
const lies: Readonly<Record<string, (told: Told, first: Told) => Partial<Told>>> = {
  'another byte': ({ opened }) => ({ opened: { ...opened, body: flipped(opened.body) } }),
  'a byte less': ({ opened }) => ({ opened: { ...opened, body: opened.body.slice(1) } }),
  'another salt': (told) => saying(told, 'x-content-salt', `0x${'5'.repeat(64)}`),
  'no salt': (told) => saying(told, 'x-content-salt', ''),
  'another hash': (told) => saying(told, 'x-content-hash', `0x${'5'.repeat(64)}`),
  'another hash on record': ({ info }) => ({
    info: { ...info, body: String(info.body).replace(/0x[0-9a-f]{8}/, '0x55555555') },
  }),
  'another memory': (_, { opened }) => ({ opened }),
  'another memory and its record': (_, first) => first,
}

type Told = { readonly opened: Reply; readonly info: Reply }

const flipped = (body: Reply['body']) =>
  Buffer.from(body).map((byte, at) => (at === 9 ? byte ^ 1 : byte)) as Buffer

const saying = ({ opened }: Told, name: string, value: string) => ({
  opened: { ...opened, headers: { ...opened.headers, [name]: value } },
})

test.each(Object.keys(lies))('%s is refused', async (lie) => {
  const { client: honest, clientAt, url } = await openClientHarness()
  await honest.snapshot(memory)
  const { tokenId } = await honest.snapshot({ ...memory, data: { mood: 'sour' } })
  await using liar = await interceptingProxy(url)
  const client = clientAt({ url: liar.url })
  await expect(client.download(tokenId)).resolves.toMatchObject({ data: { mood: 'sour' } })
  const replies = new Map<string, Reply>()
  liar.meddle(async ({ path }, forward) => {
    const reply = await forward()
    replies.set(path, reply)
    return reply
  })
  await client.download(1)
  await client.download(tokenId)
  const told = (id: string): Told => ({
    opened: replies.get(`/api/memory/${id}`) as Reply,
    info: replies.get(`/api/memory/${id}/info`) as Reply,
  })
  const { opened, info } = { ...told(tokenId), ...lies[lie]?.(told(tokenId), told('1')) }
  liar.meddle(async ({ path }) => (path.endsWith('info') ? info : opened))
  await expect(client.download(tokenId)).rejects.toMatchObject({
    code: 'client/not-verified',
    retryable: false,
    facts: { tokenId },
  })
})

test('tells how far it has come, both ways', async () => {
  const { client } = await openClientHarness()
  const steps: Progress[] = []
  const onProgress = (step: Progress) => steps.push(step)
  const data = { text: 'x'.repeat(300_000) }
  const { tokenId } = await client.snapshot({ ...memory, data }, { onProgress })
  const total = JSON.stringify({ ...memory, data }).length
  expect(steps[0]).toEqual({ phase: 'upload', bytes: 0, total })
  expect(steps.at(-1)).toEqual({ phase: 'upload', bytes: total, total })
  expect(steps.length).toBeGreaterThan(2)
  expect(steps.map(({ bytes }) => bytes)).toEqual(steps.map(({ bytes }) => bytes).toSorted(inOrder))
  steps.length = 0
  await client.download(tokenId, { onProgress })
  expect(steps.at(-1)).toEqual({ phase: 'download', bytes: total, total })
  expect(new Set(steps.map(({ phase }) => phase))).toEqual(new Set(['download']))
})

const inOrder = (one: number, other: number) => one - other
