import {
  type BlobStore,
  type Cipher,
  documentStart,
  type Segment,
  surveySegment,
} from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import {
  agent,
  mintToken,
  openHarness,
  proofOf,
  secondsOf,
  stranger,
} from '../../../test/server-harness.ts'

const notes = Array.from({ length: 60 }, (_, id) => ({ id, text: `note ${id} on interest` }))
/** There are more ways to match the text than anybody can wait for. */
const neverEnding = `$.data.notes[?match("${'a'.repeat(100)}", "(a|aa)*b")]`
const data = { notes, big: 1, 'a/b': { 'm~n': [null, true, 'é'] } }
const metadata = { category: 'research' }

async function partsHarness(options: Parameters<typeof openHarness>[0] = {}) {
  const harness = openHarness(options)
  const id = await mintToken(harness, { data, metadata })
  const headers = await proofOf(agent, id, secondsOf(harness))
  // A request of `inject` begins when it is awaited.
  const get = async (call: string, more: object = headers) =>
    harness.server.inject({ url: `/api/memory/${id}/${call}`, headers: { ...more } })
  return { ...harness, id, get, harness }
}

describe('GET /api/memory/:tokenId/outline', () => {
  test('describes what is in a memory, and names what authenticates it', async () => {
    const { get } = await partsHarness()
    const reply = await get('outline')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    const outline = reply.json()
    expect(outline).toMatchObject({
      verifiedBy: 'digest',
      digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      pointer: '',
      type: 'object',
      count: 2,
      bytes: outline.documentLength,
      members: [
        {
          pointer: '/data',
          members: [{ pointer: '/data/notes', type: 'array', count: 60 }, {}, {}],
        },
        { pointer: '/metadata', type: 'object', count: 1 },
      ],
    })
    expect(JSON.stringify(outline)).not.toContain('interest')
  })

  test('goes on below a pointer from a number', async () => {
    const { get } = await partsHarness()
    const first = (await get('outline?pointer=/data/notes&depth=1&width=50')).json()
    expect([first.members.length, first.next]).toEqual([50, 50])
    const second = (await get('outline?pointer=/data/notes&depth=1&from=50')).json()
    expect(second.members).toHaveLength(10)
    expect(second).not.toHaveProperty('next')
    expect(second.members[9]).toMatchObject({ pointer: '/data/notes/59', count: 2 })
  })
})

describe('GET /api/memory/:tokenId/part', () => {
  test('sends the exact text of a value', async () => {
    const { get } = await partsHarness()
    const reply = await get(`part?pointer=${encodeURIComponent('/data/a~1b/m~0n')}`)
    expect([reply.statusCode, reply.body]).toEqual([200, '[null,true,"é"]'])
    expect(reply.headers).toMatchObject({
      'x-verified-by': 'digest',
      'x-sealed-digest': expect.stringMatching(/^0x[0-9a-f]{64}$/),
      'content-type': 'application/json; charset=utf-8',
    })
    expect((await get('part?pointer=')).json()).toEqual({ data, metadata })
  })

  test.each([
    ['part', 400, 'request/malformed'],
    ['part?pointer=data', 400, 'part/malformed'],
    ['part?pointer=/data/x', 404, 'part/not-found'],
    ['part?pointer=/data&path=$..*', 400, 'request/malformed'],
    ['part?pointer=/data&limit=3', 400, 'request/malformed'],
    ['part?path=$[', 400, 'part/malformed'],
    ['part?path=$.data[*]&after=9', 400, 'part/malformed'],
    ['part?path=$.data[*]&limit=101', 400, 'request/malformed'],
    [`part?path=${encodeURIComponent(neverEnding)}`, 422, 'part/too-costly'],
    ['outline?pointer=/~', 400, 'part/malformed'],
    ['outline?depth=9', 400, 'request/malformed'],
    ['search?q=', 400, 'request/malformed'],
    ['search?q=a&after=9', 400, 'part/malformed'],
    ['search?q=a&after=9~0', 400, 'part/malformed'],
  ])('refuses %s', async (call, status, code) => {
    const { get } = await partsHarness()
    const reply = await get(call)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })
})

describe('GET /api/memory/:tokenId/part?path=', () => {
  test('lists what a path selects, and goes on', async () => {
    const { get } = await partsHarness()
    const call = `part?path=${encodeURIComponent('$.data.notes[?@.id >= 57].id')}`
    const first = await get(`${call}&limit=2`)
    expect([
      first.statusCode,
      first.headers['content-type'],
      first.headers['cache-control'],
    ]).toEqual([200, 'application/json; charset=utf-8', 'no-store'])
    const { matches, next, ...source } = first.json()
    expect(source).toEqual({
      digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      verifiedBy: 'digest',
      documentLength: JSON.stringify({ data, metadata }).length + 1,
    })
    expect(matches).toEqual([
      { pointer: '/data/notes/57/id', bytes: 2, text: '57' },
      { pointer: '/data/notes/58/id', bytes: 2, text: '58' },
    ])
    const second = (await get(`${call}&after=${next}`)).json()
    expect(second.matches).toMatchObject([{ pointer: '/data/notes/59/id' }])
    expect(second).not.toHaveProperty('next')
    expect((await get('part?path=$.data.none[*]')).json()).toMatchObject({ matches: [] })
  })
})

describe('GET /api/memory/:tokenId/search', () => {
  test('finds a text whatever its case, and goes on', async () => {
    const { get } = await partsHarness()
    const first = (await get('search?q=INTEREST&limit=50')).json()
    expect(first.matches[3]).toEqual({
      pointer: '/data/notes/3/text',
      in: 'value',
      offset: 10,
      before: 'note 3 on ',
      match: 'interest',
      after: '',
    })
    const second = (await get(`search?q=INTEREST&after=${first.next}`)).json()
    expect(second.matches.map((it: { pointer: string }) => it.pointer)).toEqual(
      notes.slice(50).map(({ id }) => `/data/notes/${id}/text`),
    )
    expect(second).not.toHaveProperty('next')
  })

  test('answers a question by its words, and looks for a phrase in quotes', async () => {
    const { get } = await partsHarness()
    const ask = async (q: string) =>
      (await get(`search?each=item&limit=3&q=${encodeURIComponent(q)}`)).json()
    const { matches, statistics, next } = await ask('Which note has the id 7, on interests?')
    expect(matches[0]).toMatchObject({
      pointer: '/data/notes/7',
      match: 'note 7 on interest',
      item: { phrase: 3, score: expect.any(Number) },
    })
    expect([matches.length, next]).toEqual([3, undefined])
    expect(statistics.words).toContainEqual({ stem: '7', items: 1 })
    const quoted = await ask('"note 7 on"')
    expect(quoted.matches).toMatchObject([{ pointer: '/data/notes/7/text', match: 'note 7 on' }])
    expect((await ask('nowhere')).matches).toEqual([])
    expect((await ask('teres')).matches[0]).toMatchObject({ pointer: '/data/notes/0/text' })
  })
})

const calls = ['outline', 'part?pointer=/data', 'part?path=$..*', 'search?q=a']

test.each(calls)('%s has the gate of a download: headers, token, right', async (call) => {
  const { get, harness, id } = await partsHarness()
  const denied = await get(call, await proofOf(stranger, id, secondsOf(harness)))
  const stale = await get(call, await proofOf(agent, id, secondsOf(harness) - 121))
  const other = await get(call, await proofOf(agent, '2', secondsOf(harness)))
  const codes = [await get(call, {}), stale, other, denied].map((it) => it.json().code)
  expect(codes).toEqual(['proof/missing', 'proof/stale', 'proof/not-signed', 'access/denied'])
  const unknown = await harness.server.inject({
    url: `/api/memory/2/${call}`,
    headers: await proofOf(agent, '2', secondsOf(harness)),
  })
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'token/not-found'])
})

/** Opens every bundle in pieces of 512 bytes, each of which waits for a gate. */
function gated() {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const cipherThrough = (cipher: Cipher): Cipher => ({
    ...cipher,
    inspect: (head) => ({
      ...cipher.inspect(head),
      packs: [cipher.inspect(head).contentHash as never],
    }),
    reader: async (sealed, context, blobs: Pick<BlobStore, 'get'>) => {
      const { document, ...opened } = await cipher.open(sealed, context, blobs)
      const segments: Segment[] = []
      let from = documentStart
      for (let offset = 0; offset < document.length; offset += 512) {
        const bytes = document.subarray(offset, offset + 512)
        const { survey, next } = surveySegment(bytes, from)
        segments.push({ offset, length: bytes.length, from, survey })
        from = next
      }
      const read = async (index: number) => {
        await gate
        return document.slice(index * 512, index * 512 + 512)
      }
      return { ...opened, length: document.length, segments: async () => segments, read }
    },
  })
  return { cipherThrough, open: () => open() }
}

test('one client reads inside few memories at once, and is told when to come back', async () => {
  const { cipherThrough, open } = gated()
  const { get } = await partsHarness({ cipherThrough })
  const replies = Array.from({ length: 9 }, () => get('part?pointer=/data/notes/59/id'))
  const ninth = await replies[8]
  expect([ninth?.statusCode, ninth?.json().code]).toEqual([429, 'request/too-many'])
  expect(Number(ninth?.headers['retry-after'])).toBeGreaterThan(0)
  open()
  const bodies = await Promise.all(replies.slice(0, 8).map(async (reply) => (await reply).body))
  expect(bodies).toEqual(Array(8).fill('59'))
  expect((await get('part?pointer=/data/big')).body).toBe('1')
})

test('one client evaluates few paths at once, so that it holds up nobody', async () => {
  const { cipherThrough, open } = gated()
  const { get } = await partsHarness({ cipherThrough })
  const replies = Array.from({ length: 3 }, () => get('part?path=$.data.notes[-1:].id'))
  const third = await replies[2]
  expect([third?.statusCode, third?.json().code]).toEqual([429, 'request/too-many'])
  open()
  const texts = await Promise.all(
    replies.slice(0, 2).map(async (reply) => (await reply).json().matches[0].text),
  )
  expect(texts).toEqual(['59', '59'])
})
