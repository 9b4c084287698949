import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recallItems } from './recall-items.ts'

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

test('each text of a document is in one item, whose pointer leads to it', () => {
  const document = fc.jsonValue({ maxDepth: 5 }).map((data) => JSON.parse(JSON.stringify({ data })))
  fc.assert(
    fc.property(document, (it) => {
      const items = recallItems(it)
      const texts = items.flatMap(({ values }) => values)
      expect(texts.toSorted()).toEqual(textsOf(it).toSorted())
      for (const { pointer = '', values } of items) {
        expect(textsOf(valueAt(it, pointer))).toEqual(values)
      }
    }),
  )
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

  test('has the texts of a message in parts', () => {
    const content = [{ type: 'text', text: 'Call the dentist.' }]
    const [item] = recallItems({ data: { messages: [{ role: 'user', content }] } })
    expect(item).toMatchObject({ pointer: '/data/messages/0', who: 'user' })
    expect(item?.text).toContain('Call the dentist.')
  })
})
