import { chooseExcerpts, type Excerpt, isFailure, itemsOf, printPointer } from '@heirloom/core'

/** The values of a memory at some pointers, and the problems of the others, a sentence each. */
export type CheckedExcerpts = {
  readonly values: readonly Excerpt[]
  readonly problems: readonly string[]
}

/** The exact bytes that will be sealed, and the places of values in them. */
type Shown = { readonly document: Blob; readonly pointers: readonly string[] }

/** Checks, by the rules of the server, the values that a memory shows with a proof. */
export async function checkExcerpts({ document, pointers }: Shown): Promise<CheckedExcerpts> {
  const bytes = new Uint8Array(await document.arrayBuffer())
  const items = new Map((itemsOf(bytes) ?? []).map((it) => [it.pointer, it]))
  const values = pointers.flatMap((pointer) => {
    const item = items.get(pointer)
    if (item === undefined) return []
    return [{ pointer, value: new TextDecoder().decode(bytes.subarray(item.start, item.end)) }]
  })
  const missing = pointers.filter((pointer) => !items.has(pointer)).map(describeMissing)
  return { values, problems: [...missing, ...findProblem(values)] }
}

const describeMissing = (pointer: string) =>
  `“${pointer}” is not in this memory, or it is longer than 4096 bytes.`

/** Returns the problem of values that are in the memory: they are too long, or could mislead. */
function findProblem(values: readonly Excerpt[]): readonly string[] {
  const prove = (pointer: string) => values.find((it) => it.pointer === pointer)
  const pointers = values.map(({ pointer }) => pointer)
  try {
    chooseExcerpts({ prove }, pointers)
    return []
  } catch (error) {
    if (!isFailure(error, 'card/malformed')) throw error
    return [`The public description is not allowed: ${error.facts.problem}.`]
  }
}

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
