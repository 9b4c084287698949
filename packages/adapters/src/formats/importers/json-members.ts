/** The members of a JSON object that was parsed. */
export type Members = Readonly<Record<string, unknown>>

/** Tells whether a parsed value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a member of a parsed object; what it inherits does not count. */
export function memberOf(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Returns a member that is a list, or an empty list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name)
  return Array.isArray(member) ? member : []
}

/** Returns a member that is a text with something in it. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** Returns the one text that all which have any agree on. */
export function agreed(texts: readonly (string | undefined)[]): string | undefined {
  const distinct = new Set(texts.filter((text) => text !== undefined))
  return distinct.size === 1 ? [...distinct][0] : undefined
}
