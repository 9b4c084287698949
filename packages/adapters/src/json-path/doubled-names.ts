import { afterValue, isContainerAt, visitMembers } from './scan-values.ts'

/** Parses the value at a position, without the members whose name their object has twice. */
export function parseWithoutDoubled(bytes: Buffer, start: number, end: number): unknown {
  const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
  const doubled: (readonly (string | number)[])[] = []
  collectDoubled(bytes, start, { path: [], doubled })
  for (const path of doubled) removeMember(value, path)
  return value
}

type Search = {
  /** The names and numbers that lead to the value. */
  readonly path: (string | number)[]
  readonly doubled: (readonly (string | number)[])[]
}

function collectDoubled(bytes: Buffer, start: number, search: Search): number {
  if (!isContainerAt(bytes, start)) return afterValue(bytes, start)
  const { path, doubled } = search
  const names = new Set<string>()
  return visitMembers(bytes, start, (token, at) => {
    path.push(token)
    if (typeof token === 'string') {
      if (names.has(token)) doubled.push([...path])
      names.add(token)
    }
    const end = collectDoubled(bytes, at, search)
    path.pop()
    return end
  })
}

function removeMember(value: unknown, path: readonly (string | number)[]): void {
  let above = value as Record<string | number, unknown> | undefined
  for (const token of path.slice(0, -1)) {
    // What is above may have been removed, or be the other one of two with its name.
    if (typeof above !== 'object' || above === null || !Object.hasOwn(above, token)) return
    above = above[token] as typeof above
  }
  if (typeof above === 'object' && above !== null) delete above[path.at(-1) as string | number]
}
