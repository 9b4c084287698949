import { hash } from 'node:crypto'
import { digest, instant } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { answerFromIndex, dropIndex, longestIndexed } from './recall-worker.ts'

const now = instant(1_790_000_000_000)

/** A memory that counts how often it is read. */
function memoryOf(data: unknown) {
  const document = new TextEncoder().encode(JSON.stringify({ data }))
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
    await ask(memory, 'river')
    expect(memory.reads).toBe(2)
  })

  test('that is too long has no index, and is not read', async () => {
    const memory = { ...notes('a lake'), length: longestIndexed + 1 }
    expect(await ask(memory, 'lake')).toBeUndefined()
    expect(memory.reads).toBe(0)
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
