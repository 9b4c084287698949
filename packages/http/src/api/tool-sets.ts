/** The names of the sets of tools: a small one, two of exact tools, and all. */
export const toolSets = ['small', 'memory', 'market', 'all'] as const

/** The name of a set of tools. */
export type ToolSet = (typeof toolSets)[number]

/** The sets of a session that names none. */
export const defaultSets: readonly ToolSet[] = ['small']

/** Parses a list of sets, such as `small,market`; `undefined` when it is none. */
export function parseToolSets(text: string): readonly ToolSet[] | undefined {
  const sets = text.split(',')
  return sets.every(isToolSet) ? sets : undefined
}

const isToolSet = (text: string): text is ToolSet => toolSets.some((it) => it === text)
