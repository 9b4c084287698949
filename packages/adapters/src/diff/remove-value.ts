import {
  childrenOf,
  itemsOf,
  kindOf,
  membersOf,
  pointerTo,
  readValue,
  stringOf,
  type Value,
} from './json-value.ts'

/** A text without one value and the text of that value, or the reason why nothing was removed. */
export type Removal =
  | { readonly text: string; readonly removed: string }
  | { readonly problem: string }

/**
 * Removes the value at a JSON Pointer from the text of a memory: an item from its list, or a member from
 * its object. Every other character stays as it is, but for the comma and the space beside it.
 *
 * @throws {SyntaxError} when the text is not JSON; {TooDeep} when it is nested too deeply
 */
export function removeValue(text: string, pointer: string): Removal {
  const required = requiredProblem(pointer)
  if (required !== undefined) return { problem: required }
  const part = findPart(readValue(text), stepsOf(pointer))
  if (typeof part === 'string') return { problem: part }
  const { tape } = part.parent
  const removed = text.slice(tape.starts[part.to], tape.ends[part.to])
  const [start, end] = rangeOf(part)
  return { text: `${text.slice(0, start)}${text.slice(end)}`, removed }
}

/** A memory is saved with its two members and its category alone. */
function requiredProblem(pointer: string): string | undefined {
  if (pointer === '/metadata/category') return 'each memory has a category; set another one'
  if (/^\/(data|metadata)\//.test(pointer)) return undefined
  if (['', '/data', '/metadata'].includes(pointer)) {
    return 'each memory has data and metadata; name a value inside of them'
  }
  return 'a pointer to a value of a memory begins with /data/ or /metadata/'
}

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** A value in its list or object: the nodes at which it begins, with its name, and at which it ends. */
type Part = { readonly parent: Value; readonly from: number; readonly to: number }

/** Returns the part at the end of some steps, or the reason why there is none. */
function findPart(whole: Value, steps: readonly string[]): Part | string {
  let part: Part | undefined
  let value = whole
  for (const [depth, step] of steps.entries()) {
    part = partOf(value, step)
    if (part === undefined) return missingAt(value, steps.slice(0, depth), step)
    value = { tape: value.tape, node: part.to }
  }
  return part ?? 'it is the whole memory'
}

function partOf(parent: Value, step: string): Part | undefined {
  if (kindOf(parent) === 'object') {
    const to = membersOf(parent)?.get(step)?.value.node
    return to === undefined ? undefined : { parent, from: to - 1, to }
  }
  const isIndex = kindOf(parent) === 'array' && /^(0|[1-9][0-9]{0,8})$/.test(step)
  const node = isIndex ? itemsOf(parent)[Number(step)]?.node : undefined
  return node === undefined ? undefined : { parent, from: node, to: node }
}

function missingAt(value: Value, above: readonly string[], step: string): string {
  const place = JSON.stringify(above.reduce((path, it) => pointerTo(path, it), ''))
  const kind = kindOf(value)
  if (kind === 'array') return `the list at ${place} has ${itemsOf(value).length} items`
  if (kind !== 'object') return `${place} is no list and no object`
  return membersOf(value) === undefined
    ? `the object at ${place} has a name twice`
    : `the object at ${place} has no member ${JSON.stringify(step)}`
}

/** Returns the range of a part: up to the next one, or from the end of the one before the last. */
function rangeOf({ parent: { tape, node }, from, to }: Part) {
  const children = childrenOf(tape, node)
  const next = children[children.indexOf(to) + 1]
  if (next !== undefined) return [tape.starts[from], tape.starts[next]]
  const before = children[children.indexOf(from) - 1]
  return [before === undefined ? tape.starts[from] : tape.ends[before], tape.ends[to]]
}

/** The place of a string in a memory. */
export type StringPlace = { readonly pointer: string; readonly text: string }

/** Returns the strings of the data of a memory that have a text, whatever its case. */
export function findStrings(text: string, sought: string): readonly StringPlace[] {
  const data = membersOf(readValue(text))?.get('data')?.value
  return data === undefined ? [] : stringsIn(data, '/data', folded(sought))
}

function stringsIn(value: Value, pointer: string, sought: string): readonly StringPlace[] {
  const kind = kindOf(value)
  if (kind === 'word') return []
  if (kind === 'string') {
    const text = stringOf(value)
    return folded(text).includes(sought) ? [{ pointer, text }] : []
  }
  return partsOf(value).flatMap(([step, part]) => stringsIn(part, pointerTo(pointer, step), sought))
}

/** Returns the values inside a value with their steps. An object with a name twice has no pointers. */
function partsOf(value: Value): readonly (readonly [string | number, Value])[] {
  if (kindOf(value) === 'array') return itemsOf(value).map((item, at) => [at, item])
  return [...(membersOf(value)?.values() ?? [])].map((member) => [member.name, member.value])
}

const folded = (text: string): string => text.normalize('NFC').toLowerCase()
