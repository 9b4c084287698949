import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTime, yardstick } from '../../../../test/harness/yardstick.ts'
import { itemBatches } from './recall-items.ts'

const recallItems = (document: unknown) => [...itemBatches(document)].flat()

/** Returns the value at a JSON Pointer. */
function valueAt(document: unknown, pointer: string): unknown {
  const tokens = pointer.split('/').slice(1)
  return tokens.reduce<unknown>((value, token) => {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    return (value as Record<string, unknown>)[name]
  }, document)
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [`${value}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsOf)
}

const pointersOf = (document: unknown) => recallItems(document).map(({ pointer }) => pointer)

/** Returns a document without numbers and empty texts, which are no items by themselves. */
const ofTexts = (data: unknown): unknown =>
  JSON.parse(
    JSON.stringify({ data }, (_, it) => (typeof it === 'number' || it === '' ? `x${it}` : it)),
  )

test('each text of a document is in one item, whose pointer leads to it', () => {
  const document = fc.jsonValue({ maxDepth: 5 }).map(ofTexts)
  fc.assert(
    fc.property(document, (it) => {
      const items = recallItems(it)
      const texts = items.flatMap(({ values }) => values)
      expect(texts.toSorted()).toEqual(textsOf(it).toSorted())
      for (const { pointer = '', values } of items) {
        const below = textsOf(valueAt(it, pointer))
        expect(values.every((text) => below.includes(text))).toBe(true)
      }
    }),
  )
})

test('a text beside an embedding is the item that it is without, and has no words of it', () => {
  const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: 17,
    maxLength: 3_000,
  })
  const bytes = fc.array(fc.constantFrom('0Ab4', 'x9/c', '+De7', 'QRst'), {
    minLength: 51,
    maxLength: 2_000,
  })
  const text64 = bytes.map((it) => `0123456789abc${it.join('')}`)
  const code = fc.oneof(numbers, text64)
  fc.assert(
    fc.property(code, fc.string({ minLength: 1, maxLength: 60 }), (embedding, text) => {
      const note = { who: 'Ada', text }
      const withCode = { ...note, embedding, meta: { vector: embedding } }
      expect(recallItems({ data: { notes: [withCode, withCode] } })).toMatchObject(
        recallItems({ data: { notes: [note, note] } }).map(({ names: _, ...it }) => it),
      )
    }),
  )
})

test('a long list of numbers hides no text in it, and a long path no word', () => {
  const data = { a: [...Array(40).fill(1), 'a lake'], b: 'some/path/of/a/river/'.repeat(20) }
  const words = recallItems({ data }).flatMap(({ values }) => values)
  expect(words.join(' ')).toMatch(/lake.*river/s)
})

test('a number of many is found where one is larger than those of an embedding, such as a year', () => {
  const data = { years: [{ of: 'tides', at: Array.from({ length: 40 }, (_, at) => 1980 + at) }] }
  expect(recallItems({ data }).flatMap(({ values }) => values)).toContain('2003')
})

test('a long string is cut into stretches that are it', () => {
  const text = fc.array(fc.constantFrom('word ', 'sentence. ', '\n\n', '語', '😀'), {
    minLength: 900,
    maxLength: 2500,
  })
  fc.assert(
    fc.property(text, (parts) => {
      const data = parts.join('')
      const items = recallItems({ data })
      expect(items.map((it) => it.text).join('')).toBe(data)
      for (const { text: part, list } of items) {
        expect(part.isWellFormed()).toBe(true)
        expect(part.length).toBeLessThanOrEqual(2000)
        expect(list).toBe(items[0]?.list)
      }
    }),
    { numRuns: 30 },
  )
})

test.each(['x', 'word ', 'a.', 'one sentence. '])(
  'a string of 8 MB of “%s” is cut in little time',
  async (part) => {
    const data = part.repeat(8_000_000 / part.length)
    expect(await processorTime(() => recallItems({ data }))).toBeLessThan(100 * (await yardstick()))
  },
)

test.each([
  ['texts in lists', '{"text":[', ']}'],
  ['lists of other members', '{"x":[', ']}'],
  ['texts', '{"text":', '}'],
  ['other members', '{"x":', '}'],
])('%s are described however deep they nest, whether or not there is a text', (_, open, close) => {
  for (const inner of ['{}', '"deep"', '{"a":1,"b":"two"}']) {
    const nested = `${open.repeat(450)}${inner}${close.repeat(450)}`
    const items = recallItems({ data: JSON.parse(`[${nested}]`) })
    expect(items.length).toBeLessThan(3)
  }
})

test('many values below many levels are looked at in little time', async () => {
  const many = JSON.stringify(
    Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`m${at}`, at])),
  )
  const nested = `${'{"x":'.repeat(900)}${many}${'}'.repeat(900)}`
  const data = JSON.parse(`[${nested}]`)
  expect(await processorTime(() => recallItems({ data }))).toBeLessThan(500 * (await yardstick()))
})

describe('an item', () => {
  test('is a turn of a conversation, with who and when', () => {
    const turns = [
      { speaker: 'Ada', date: '2026-10-01', text: 'I painted a lake at sunrise.' },
      { speaker: 'Ben', date: '2026-10-01', text: 'How lovely!' },
    ]
    const [first] = recallItems({ data: { sessions: [{ turns }] } })
    expect(first).toMatchObject({
      pointer: '/data/sessions/0/turns/0',
      who: 'Ada',
      when: '2026-10-01',
      text: 'I painted a lake at sunrise.',
    })
  })

  test('is a record with the short texts below it, and not a list of records', () => {
    const data = {
      ann: { likes: ['tea', 'rain'], home: { city: 'Oslo' } },
      log: [{ text: 'one thing' }, { text: 'another thing' }],
    }
    expect(pointersOf({ data })).toEqual(['/data/ann', '/data/log/0', '/data/log/1'])
  })

  test('is each member of the data itself, and each sentence of a list', () => {
    const data = { name: 'diary', notes: ['The first of some notes.', 'Then the second of them.'] }
    expect(pointersOf({ data })).toEqual(['/data/name', '/data/notes/0', '/data/notes/1'])
  })

  test('has the short texts of the records around it, the nearest first and not without end', () => {
    const messages = [{ text: 'The first of two.' }, { text: 'The second of two.' }]
    const tickets = [{ customer: 'Ada', subject: 'a leak', log: 'x'.repeat(300), messages }]
    const data = { title: 'all of them', shops: [{ city: 'Oslo', note: 'y'.repeat(190), tickets }] }
    const items = recallItems({ data })
    const message = items.find(({ pointer }) => pointer === '/data/shops/0/tickets/0/messages/1')
    expect(message?.names).toEqual(['shops', 'tickets', 'messages', 'Ada', 'a leak', 'Oslo'])
  })

  test('is a message in the tree of a conversation, with its role and its time', () => {
    const node = (id: string, role: string, text: string) => ({
      id,
      message: {
        id,
        author: { role, name: null },
        create_time: 1_790_000_000,
        content: { content_type: 'text', parts: [text] },
        status: 'finished_successfully',
      },
      parent: 'root',
      children: [],
    })
    const mapping = {
      root: { id: 'root', message: null, parent: null, children: ['m0'] },
      m0: node('m0', 'user', 'Which flour is right for this bread?'),
      m1: node('m1', 'assistant', 'Strong white flour, with a little rye.'),
    }
    const items = recallItems({ data: { value: [{ title: 'Baking', mapping }] } })
    expect(items.map(({ pointer, who, text }) => [pointer, who, text])).toEqual([
      ['/data/value/0', undefined, 'title: Baking'],
      ['/data/value/0/mapping/m0', 'user', 'Which flour is right for this bread?'],
      ['/data/value/0/mapping/m1', 'assistant', 'Strong white flour, with a little rye.'],
    ])
    expect(items[1]?.when).toBe('2026-09-21 14:13:20 UTC')
  })

  test('is a file of a folder, however short it is', () => {
    const files = { 'home.md': '# Home\n\nAnn has the key.', 'trip.md': '# Trip\n\nBy train.' }
    expect(pointersOf({ data: { files } })).toEqual(['/data/files/home.md', '/data/files/trip.md'])
  })

  test('of a person has the short texts beside a list of items', () => {
    const log = [{ text: 'Asked for a refund.' }, { text: 'Got a call.' }]
    const [person] = recallItems({ data: { people: [{ name: 'Ravi', job: 'lawyer', log }] } })
    expect(person).toMatchObject({ pointer: '/data/people/0', text: 'name: Ravi; job: lawyer' })
  })

  test.each(['', false, null, undefined])('is not replaced by %j', (replacedBy) => {
    const [item] = recallItems({ data: { facts: [{ text: 'a fact', replacedBy }] } })
    expect(item?.until).toBeUndefined()
  })

  test('has the texts of a message in parts', () => {
    const content = [{ type: 'text', text: 'Call the dentist.' }]
    const [item] = recallItems({ data: { messages: [{ role: 'user', content }] } })
    expect(item).toMatchObject({ pointer: '/data/messages/0', who: 'user' })
    expect(item?.text).toContain('Call the dentist.')
  })
})
