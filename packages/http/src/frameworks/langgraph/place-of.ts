import type { RunnableConfig } from '@langchain/core/runnables'

/** The thread, the namespace and the checkpoint that a config names. */
export type Place = {
  readonly threadId: string | undefined
  readonly ns: string
  readonly id: string | undefined
}

/** Reads the place that a config names. @throws {TypeError} when one is no string */
export function placeOf({ configurable = {} }: RunnableConfig): Place {
  return {
    threadId: textIn(configurable, 'thread_id') || undefined,
    ns: textIn(configurable, 'checkpoint_ns') ?? '',
    id: textIn(configurable, 'checkpoint_id') || textIn(configurable, 'thread_ts') || undefined,
  }
}

function textIn(fields: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = fields[field] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw new TypeError(`${field} in configurable is a ${typeof value}; give a string.`)
}
