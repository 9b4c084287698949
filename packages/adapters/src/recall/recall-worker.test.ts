import { hash } from 'node:crypto'
import { digest, Failure, instant, type WordIndex } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { knownMemories } from './known-memories.ts'
import { parseMemory } from './parse-memory.ts'
import {
  answerFromIndex,
  dropIndex,
  longestIndexed,
  type RecallJob,
  type RecallReply,
  recall,
} from './recall-worker.ts'

const now = instant(1_790_000_000_000)

const memoryOf = (data: unknown) => memoryOfText(JSON.stringify({ data }))

/** A memory that counts how often it is read. */
function memoryOfText(text: string) {
  const document = new TextEncoder().encode(text)
  const memory = {
    digest: digest(`0x${hash('sha256', document)}`),
    length: document.length,
    reads: 0,
    read: async () => {
      memory.reads += 1
      return document.slice()
    },
  }
  return memory
}

const ask = async (memory: ReturnType<typeof memoryOf>, question: string) =>
  (await answerFromIndex(memory, { question, most: 3, now }))?.answers.map(({ pointer }) => pointer)

const notes = (...texts: readonly string[]) => memoryOf({ notes: texts.map((text) => ({ text })) })

describe('a memory', () => {
  test('is read at its first question, and once for several at a time', async () => {
    const memory = notes('We saw the sea.', 'She wrote a letter.')
    const both = await Promise.all([ask(memory, 'Who writes letters?'), ask(memory, 'sea')])
    expect(both.map((it) => it?.[0])).toEqual(['/data/notes/1', '/data/notes/0'])
    expect(await ask(memory, 'letter')).toContain('/data/notes/1')
    expect(memory.reads).toBe(1)
  })

  test('that could not be read is read again', async () => {
    const memory = notes('a lake')
    const unread = { ...memory, read: () => Promise.reject(new Error('no disk')) }
    await expect(ask(unread, 'lake')).rejects.toThrow('no disk')
    expect(await ask(memory, 'lakes')).toEqual(['/data/notes/0'])
  })

  test('that was erased has no index any longer', async () => {
    const memory = notes('a river')
    await ask(memory, 'river')
    await dropIndex(memory.digest)
    expect(await ask(memory, 'river')).toBeUndefined()
    expect(memory.reads).toBe(1)
  })

  test('that is erased before it is indexed, or while it is read, gets no index', async () => {
    const memory = notes('a delta')
    const read = async () => {
      await dropped
      return memory.read()
    }
    const answer = ask({ ...memory, read }, 'delta')
    // It is not read yet, so there is no build to wait for.
    const dropped = dropIndex(memory.digest)
    expect(await answer).toBeUndefined()
    expect(await ask(memory, 'delta')).toBeUndefined()
  })

  test('that is too long has no index, and is not read', async () => {
    const memory = { ...notes('a lake'), length: longestIndexed + 1 }
    expect(await ask(memory, 'lake')).toBeUndefined()
    expect(memory.reads).toBe(0)
  })
})

const listOf = (part: string, count: number) => `{"data":[${Array(count).fill(part).join()}]}`
const namesOf = (count: number) =>
  `{"data":{${Array.from({ length: count }, (_, at) => `"n${at}":0`).join()}}}`

describe('a document', () => {
  test.each([
    ['values', listOf('{}', 2_000_000)],
    ['names of one object', namesOf(200_001)],
    ['levels', `{"data":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
  ])('of too many %s has no index, and is read once', async (_, text) => {
    const memory = memoryOfText(text)
    expect(await ask(memory, 'lake')).toBeUndefined()
    expect(await ask(memory, 'lake')).toBeUndefined()
    expect(memory.reads).toBe(1)
  })

  test.each([
    [
      'one string of 5 MB',
      `{"data":"${'The tide came in. '.repeat(280_000)}A heron left."}`,
      '/data',
    ],
    ['300,000 items', `{"data":[${'"tide",'.repeat(300_000)}"A heron."]}`, '/data/300000'],
  ])('is found by a rare word in %s, and by one that is in every item', async (_, text, at) => {
    const memory = memoryOfText(text)
    expect((await ask(memory, 'Which herons, and which tides?'))?.[0]).toBe(at)
    expect(await ask(memory, 'tides')).toHaveLength(3)
    expect(memory.reads).toBe(1)
  })

  test('has each number by its digits, and of members with one name the last', async () => {
    const notes = '[{"text":"gate","code":90071992547409931},{"text":"door","code":1,"code":77}]'
    const memory = memoryOfText(`{"data":{"notes":${notes}}}`)
    expect((await ask(memory, '90071992547409931'))?.[0]).toBe('/data/notes/0')
    expect(await ask(memory, '90071992547409930')).toEqual([])
    expect((await ask(memory, '77'))?.[0]).toBe('/data/notes/1')
  })

  test('counts nothing inside of strings', () => {
    const document = { data: { text: '{[,:"\\\\'.repeat(1_000_000), more: '\\"' } }
    expect(parseMemory(new TextEncoder().encode(JSON.stringify(document)))).toEqual(document)
  })
})

describe('the builds', () => {
  test('of indexes let the questions to others have their turn', async () => {
    const small = notes('a lake')
    await ask(small, 'lake')
    const large = notes(...Array.from({ length: 40_000 }, (_, at) => `a note of the river ${at}`))
    const order: string[] = []
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    const document = await large.read()
    const read = async () => {
      // Right behind the document, which is sent as soon as this returns.
      queueMicrotask(() =>
        queueMicrotask(() => ask(small, 'lake').then(() => resolve(void order.push('small')))),
      )
      return document
    }
    await ask({ ...large, read }, 'river')
    order.push('large')
    await answered
    expect(order).toEqual(['small', 'large'])
  })

  test('of small memories come first, and one at a time', async () => {
    const order: string[] = []
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: answered, resolve: release } = Promise.withResolvers<void>()
    const known = notes('a pond')
    await ask(known, 'pond')
    const named = (name: string, text: string, until = Promise.resolve()) => {
      const memory = notes(text)
      const read = async () => {
        order.push(name)
        begin()
        await until
        return memory.read()
      }
      return { ...memory, read }
    }
    const first = ask(named('first', 'a fjord', answered), 'fjord')
    await begun
    const large = ask({ ...named('large', 'a gulf'), length: longestIndexed }, 'gulf')
    const small = ask(named('small', 'a well'), 'well')
    // The worker answers in order: when it answers this, the others wait for their turn.
    await ask(known, 'pond')
    release()
    await Promise.all([first, large, small])
    expect(order).toEqual(['first', 'small', 'large'])
  })
})

describe('a worker that ends', () => {
  /** Returns what answers from a worker that ends at some of its jobs. */
  const mortal = (isDeadly: (job: RecallJob, nth: number) => boolean) => {
    const jobs: RecallJob[] = []
    const ask = async (job: RecallJob): Promise<RecallReply> => {
      jobs.push(job)
      if (isDeadly(job, jobs.length)) throw new Failure('service/unexpected', {})
      return {
        kind: 'answered',
        answered: { answers: [], statistics: { items: 0, words: [] }, misspelt: [] },
      }
    }
    return { jobs, ...recall({ ask, ready: () => true }) }
  }
  const question = { question: 'lake', most: 3, now }

  test('is asked again, and then the question can be sent again', async () => {
    const once = mortal((_, nth) => nth === 1)
    expect(await once.answerFromIndex(notes('a lake'), question)).toBeDefined()
    const always = mortal(() => true)
    await expect(always.answerFromIndex(notes('a lake'), question)).rejects.toMatchObject({
      code: 'service/busy',
    })
  })
})

describe('the cache of indexes', () => {
  const indexOf = (size: number) => ({ size }) as WordIndex
  const at = (nth: number) => digest(`0x${`${nth}`.padStart(64, '0')}`)

  test('drops the memories that were not used for the longest time', () => {
    const memories = knownMemories({ room: 1_000, small: 500 })
    for (const nth of [1, 2, 3]) memories.add(at(nth), indexOf(100))
    memories.find(at(1))
    memories.add(at(4), indexOf(100))
    expect([1, 2, 3, 4].map((nth) => memories.find(at(nth)) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  test('keeps small memories from large ones, and one that is larger than all room', () => {
    const memories = knownMemories({ room: 1_000, small: 500 })
    memories.add(at(1), indexOf(100))
    for (const nth of [2, 3]) memories.add(at(nth), indexOf(5_000))
    expect([1, 2, 3].map((nth) => memories.find(at(nth)) !== undefined)).toEqual([
      true,
      false,
      true,
    ])
  })
})

// The words of each question stand in another form in the answer.
test.each([
  ['English', 'Who bought the new bikes?', 'My brother buys a bike every year for the shop.'],
  [
    'German',
    'Wann haben wir die Häuser besichtigt?',
    'Die Besichtigung des Hauses war für uns am Montag und nicht am Dienstag.',
  ],
  [
    'German in a joined word',
    'Gibt es einen Termin beim Zahnarzt?',
    'Der Zahnarzttermin ist für uns am Montag und nicht am Dienstag.',
  ],
  [
    'Dutch in a joined word',
    'Wat heeft de tandarts gezegd?',
    'De tandartsafspraak is op maandag en niet op dinsdag, dat is voor ons beter.',
  ],
  [
    'French',
    'Quelles chansons chantait-elle ?',
    'Elle chante une chanson avec les enfants dans la cour.',
  ],
  [
    'French behind an article',
    'Quelle école ?',
    'Les enfants sont dans la cour de l’école et chantent avec nous.',
  ],
  ['Spanish', '¿Dónde compraron los libros?', 'El libro que compramos con ella es de la tienda.'],
  ['Russian', 'Где мы покупали книги?', 'Мы купили книгу и она была в том магазине на углу.'],
  ['Arabic', 'أين المدرسة؟', 'ذهبنا من البيت إلى مدرسة كانت في آخر الشارع'],
  ['Japanese', '美術館はどこですか', '東京の美術館に行きました。'],
])('%s is found by other forms of its words', async (_, question, answer) => {
  const other = notes('xxx yyy zzz', 'aaa bbb ccc', answer, 'uuu vvv www', 'ddd eee fff')
  expect((await ask(other, question))?.[0]).toBe('/data/notes/2')
})
