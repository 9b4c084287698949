/** A number as text, which may be more precise than a JavaScript number. */
export class ExactNumber {
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
  | ExactNumber
  | readonly Value[]
  | { readonly [name: string]: Value }

/** A value with members. */
export type Branch = {
  readonly entries: readonly (readonly [name: string, value: Value])[]
  /** The number of members: `3 items`. */
  readonly summary: string
}

type Source = { readonly source?: string }

/** Parses a JSON document for display; numbers keep their exact text if the browser supports it. */
export function parseTree(bytes: Uint8Array): Value {
  const reviver = (_: string, value: unknown, context?: Source) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new ExactNumber(context.source)
      : value
  return JSON.parse(new TextDecoder().decode(bytes), reviver as (key: string) => unknown) as Value
}

/** Returns the members of an object or a list. */
export function toBranch(value: Value): Branch | undefined {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined
  const isList = Array.isArray(value)
  const entries = Object.entries(value as Readonly<Record<string, Value>>)
  const noun = isList ? ['item', 'items'] : ['member', 'members']
  return { entries, summary: `${entries.length} ${noun[entries.length === 1 ? 0 : 1]}` }
}
