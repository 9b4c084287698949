import { number, type Term } from './term.ts'

/** The words in memory, by their offset in bytes, and how many bytes of each are left. */
export type Memory = ReadonlyMap<number, { readonly word: Term; readonly left: number }>

const wordSize = 32

/** Writes a word. */
export function write(memory: Memory, offset: number, word: Term): Memory {
  const rest = [...memory].flatMap(([other, entry]) => {
    const left = Math.min(entry.left, offset - other)
    if (other >= offset + wordSize || other + entry.left <= offset) return [[other, entry] as const]
    // Of a word that begins earlier, the bytes before the new one are left.
    return left > 0 ? [[other, { ...entry, left }] as const] : []
  })
  return new Map([...rest, [offset, { word, left: wordSize }]])
}

/**
 * Reads a word; memory that was never written is zero.
 *
 * @throws where a part of the word was written and another was not
 */
export function read(memory: Memory, offset: number): Term {
  const entry = memory.get(offset)
  if (entry?.left === wordSize) return entry.word
  for (const [other, { left }] of memory) {
    if (other < offset + wordSize && offset < other + left)
      throw new Error(`A proof reads parts of words at ${offset}.`)
  }
  return number(0n)
}

/** Reads the first four bytes of an error. */
export function readSelector(memory: Memory, offset: number): bigint {
  const { word, left = 0 } = memory.get(offset) ?? {}
  if (word?.kind !== 'number' || left < 4) throw new Error(`An error at ${offset} has no selector.`)
  return word.value >> 224n
}
