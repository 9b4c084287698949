import { createCipheriv, createHash } from 'node:crypto'

// Memories that grow note by note. All values follow from the seed, so that every run has the same.

/** Returns random numbers below 2^16 from a seed. */
function drawFrom(seed: string): () => number {
  const key = createHash('sha256').update(seed).digest()
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  let pool = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at === pool.length) {
      pool = cipher.update(Buffer.alloc(65_536))
      at = 0
    }
    at += 2
    return pool.readUInt16BE(at - 2)
  }
}

const syllables = 'ba be bo da de di fa ga ka la le lo ma me mi na no pa ra re ro sa se ta te to va'

/** Two thousand words of two to four syllables. */
const words = ((draw) => {
  const parts = syllables.split(' ')
  const syllable = () => parts[draw() % parts.length]
  return Array.from({ length: 2_000 }, () =>
    Array.from({ length: 2 + (draw() % 3) }, syllable).join(''),
  )
})(drawFrom('words'))

/** Returns a note of some 500 bytes as JSON: an id, a time, 15 to 34 words and a short embedding. */
export function note(seed: string, number = 0): string {
  const draw = drawFrom(`${seed} ${number}`)
  return noteOf(draw, number)
}

function noteOf(draw: () => number, number: number): string {
  const id = Array.from({ length: 4 }, () => draw().toString(16).padStart(4, '0')).join('')
  const text = Array.from({ length: 15 + (draw() % 20) }, () => words[draw() % words.length])
  const embedding = Buffer.from(Uint16Array.from({ length: 96 }, draw).buffer).toString('base64')
  return JSON.stringify({ id, at: 1_760_000_000 + 61 * number, text: text.join(' '), embedding })
}

/** Returns notes of `bytes` bytes in all. */
export function notes(bytes: number, seed: string): readonly string[] {
  const draw = drawFrom(seed)
  const made: string[] = []
  for (let length = 0; length < bytes; length += (made.at(-1)?.length ?? 0) + 1) {
    made.push(noteOf(draw, made.length))
  }
  return made
}

/** Returns the document of a memory of notes. */
export const memoryOf = (all: readonly string[]): Buffer =>
  Buffer.from(`{"data":{"notes":[${all.join(',')}]},"metadata":{"category":"research"}}`)

/** The same notes with one appended, with one before the first, and with a hundred changed. */
export const edits = {
  append: (all: readonly string[]) => [...all, note('appended')],
  insert: (all: readonly string[]) => [note('inserted'), ...all],
  change: (all: readonly string[]) => {
    const changed = [...all]
    const step = Math.floor(all.length / 100)
    for (let at = 0; at < 100; at++) changed[at * step + (at % step)] = note('changed', at)
    return changed
  },
} as const
