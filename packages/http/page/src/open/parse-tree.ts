/** A number as it is spelt, which may say more than a number of JavaScript holds. */
export class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Value =
  | string
  | boolean
  | null
  | number
  | Digits
  | readonly Value[]
  | { readonly [name: string]: Value }

/** Something with members. */
export type Branch = {
  readonly entries: readonly (readonly [name: string, value: Value])[]
  /** What it is: `3 items`. */
  readonly words: string
}

type Source = { readonly source?: string }

/** Reads a JSON document for looking at it; numbers stay as they are spelt where the browser tells. */
export function parseTree(bytes: Uint8Array): Value {
  const reviver = (_: string, value: unknown, context?: Source) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new Digits(context.source)
      : value
  return JSON.parse(new TextDecoder().decode(bytes), reviver as (key: string) => unknown) as Value
}

/** Returns the members of a value that has some. */
export function branchOf(value: Value): Branch | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Digits) return undefined
  const isList = Array.isArray(value)
  const entries = Object.entries(value as Readonly<Record<string, Value>>)
  const noun = isList ? ['item', 'items'] : ['member', 'members']
  return { entries, words: `${entries.length} ${noun[entries.length === 1 ? 0 : 1]}` }
}
