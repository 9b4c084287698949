import type { MemoryOutline, OutlinedValue } from '../../client/responses.ts'

/** Returns an outline as lines, one for each value, with pointers as JSON strings. */
export function outlineText(outline: MemoryOutline): string {
  return linesOf(outline as OutlinedValue, '').join('\n')
}

// A pointer is written by whoever wrote the memory: as a JSON string it cannot be taken for a line.
function linesOf(value: OutlinedValue, at: string): string[] {
  const { pointer, type, bytes, count, members = [], next } = value
  const line = `${JSON.stringify(pointer ?? null)} ${type}${countText(type, count)}, ${bytes} bytes`
  const more =
    next === undefined ? [] : [`(more below ${JSON.stringify(pointer ?? at)}: after ${next})`]
  const inside = (members as readonly OutlinedValue[]).flatMap((it) => linesOf(it, pointer ?? at))
  return [line, ...inside, ...more]
}

const countText = (type: string, count: number | undefined): string =>
  count === undefined ? '' : ` of ${count} ${type === 'array' ? 'items' : 'members'}`
