import { printPointer } from '@heirloom/core'

/** A value of a memory, and the beginning of its text. */
export type ListedValue = { readonly pointer: string; readonly beginning: string }

/** The most values that are listed. */
const mostValues = 12

/** The most characters of a value that are shown. */
const shownLength = 80

/** The longest text, in characters, that surely fits into the 4096 bytes of such a value. */
const longest = 1000

/** The deepest value that can be shown with a proof; `data` is the first level. */
const deepest = 8

/** Lists the first texts and numbers of data, in their order, that can be shown with a proof. */
export function listValues(data: unknown): readonly ListedValue[] {
  const found: ListedValue[] = []
  collect(data, ['data'], found)
  return found
}

function collect(value: unknown, tokens: readonly string[], found: ListedValue[]): void {
  if (found.length >= mostValues || tokens.length > deepest) return
  if (typeof value !== 'object' || value === null) {
    found.push(...listValue(value, tokens))
    return
  }
  for (const [name, inner] of Object.entries(value).slice(0, mostValues)) {
    collect(inner, [...tokens, name], found)
  }
}

function listValue(value: unknown, tokens: readonly string[]): readonly ListedValue[] {
  const pointer = printPointer(tokens)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (pointer === undefined || text.trim() === '' || text.length > longest) return []
  return [{ pointer, beginning: text.slice(0, shownLength) }]
}
