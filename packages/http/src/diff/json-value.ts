import { readTape, type Tape } from './json-tape.ts'

/** A value inside a JSON text. */
export type Value = { readonly tape: Tape; readonly node: number }

/** A member of an object: its name, the exact text of the name, and its value. */
export type Member = { readonly name: string; readonly nameText: string; readonly value: Value }

/** The members of an object by name, in their order. */
export type Members = ReadonlyMap<string, Member>

/** Reads a JSON text as a value. @throws {SyntaxError} {TooDeep} */
export const readValue = (text: string): Value => ({ tape: readTape(text), node: 0 })

/** Returns the exact text of a value. */
export const textOf = ({ tape, node }: Value): string =>
  tape.text.slice(tape.starts[node], tape.ends[node])

/** The kind of a value; `word` is a number or a literal. */
export type Kind = 'object' | 'array' | 'string' | 'word'

const kinds: Readonly<Record<string, Kind>> = { '{': 'object', '[': 'array', '"': 'string' }

/** Returns the kind of a value. */
export const kindOf = ({ tape, node }: Value): Kind =>
  kinds[tape.text[tape.starts[node] ?? 0] ?? ''] ?? 'word'

/** Returns the string that a string value stands for; its lone surrogates stay. */
export function stringOf(value: Value): string {
  const text = textOf(value)
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
}

/** Returns the items of an array. */
export const itemsOf = ({ tape, node }: Value): readonly Value[] =>
  childrenOf(tape, node).map((child) => ({ tape, node: child }))

/** Returns the nodes directly inside a node: items, or names and values by turns. */
export function childrenOf({ nexts }: Tape, node: number): readonly number[] {
  const children: number[] = []
  const end = nexts[node] as number
  for (let child = node + 1; child < end; child = nexts[child] as number) children.push(child)
  return children
}

/** Returns the members of an object; `undefined` when a name is there twice. */
export function membersOf({ tape, node }: Value): Members | undefined {
  const members = new Map<string, Member>()
  const children = childrenOf(tape, node)
  for (let at = 0; at < children.length; at += 2) {
    const nameAt = { tape, node: children[at] as number }
    const name = stringOf(nameAt)
    if (members.has(name)) return undefined
    const value = { tape, node: children[at + 1] as number }
    members.set(name, { name, nameText: textOf(nameAt), value })
  }
  return members
}

/** Returns whether two values are written with the same characters. */
export function isSameText(one: Value, other: Value): boolean {
  return lengthOf(one) === lengthOf(other) && textOf(one) === textOf(other)
}

const lengthOf = ({ tape, node }: Value) => (tape.ends[node] ?? 0) - (tape.starts[node] ?? 0)

/** Returns a JSON pointer (RFC 6901) with one more step. */
export const pointerTo = (path: string, step: string | number): string =>
  typeof step === 'number'
    ? `${path}/${step}`
    : `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
