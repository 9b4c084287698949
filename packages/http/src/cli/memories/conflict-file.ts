import type { Conflict, Resolution, Resolve } from '@heirloom/adapters/internal/diff/change'
import {
  itemsOf,
  type Kind,
  kindOf,
  type Member,
  membersOf,
  numberValues,
  readValue,
  stringOf,
  textOf,
  type Value,
} from '@heirloom/adapters/internal/diff/json-value'
import { UsageError } from '../arguments/command.ts'
import { printableJson } from '../terminal/output.ts'

const howTo = [
  'In each conflict replace null after "take" by "ours", "theirs" or "base";',
  '"both" takes ours and then theirs, for items and lines.',
  'Or write "value" with a value of your own: a list for items, a string for lines.',
  'A side that is not there removed the value. Then merge again with --decisions and this file.',
].join(' ')

/** Prints conflicts as a JSON text in which a person can write decisions; its values are exact. */
export function printConflicts(
  versions: Readonly<Record<string, string | undefined>>,
  conflicts: readonly Conflict[],
): string {
  const head = Object.entries({ howTo, ...versions }).flatMap(([name, text]) =>
    text === undefined ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(text)}`],
  )
  const all = conflicts.map(printConflict).join(',\n')
  return printableJson(`{\n${head.join(',\n')},\n  "conflicts": [\n${all}\n  ]\n}\n`)
}

function printConflict({ kind, path, at, ...sides }: Conflict): string {
  const texts = [
    ['path', JSON.stringify(path)],
    ['kind', JSON.stringify(kind)],
    ['at', at === undefined ? undefined : `${at}`],
    ...(['base', 'ours', 'theirs'] as const).map((side) => [side, sides[side]] as const),
    ['take', 'null'],
  ] as const
  const members = texts.flatMap(([name, text]) =>
    text === undefined ? [] : [`      "${name}": ${text}`],
  )
  return `    {\n${members.join(',\n')}\n    }`
}

/**
 * Reads the decisions that were written into a file of conflicts. A decision counts for the conflict
 * that it was made for: the same place with the same two sides.
 *
 * @throws a `UsageError` that says which entry is wrong
 */
export function readDecisions(file: string, bytes: Uint8Array): Resolve {
  const entries = readEntries(file, bytes)
  const numberOf = numberValues()
  const keyOf = (sides: readonly (Value | undefined)[]) =>
    sides.map((side) => side && numberOf(side)).join()
  const places = ['kind', 'path', 'at', 'ours', 'theirs'] as const
  const decisions = new Map<string, Resolution | undefined>()
  for (const entry of entries) {
    const key = keyOf(places.map((name) => entry.get(name)?.value))
    decisions.set(key, readDecision(file, entry))
  }
  return (conflict) => {
    const texts = {
      ...conflict,
      kind: JSON.stringify(conflict.kind),
      path: JSON.stringify(conflict.path),
      at: conflict.at === undefined ? undefined : `${conflict.at}`,
    }
    return decisions.get(
      keyOf(places.map((name) => (texts[name] === undefined ? undefined : readValue(texts[name])))),
    )
  }
}

type Entry = ReadonlyMap<string, Member>

function readEntries(file: string, bytes: Uint8Array): readonly Entry[] {
  const entries = parse(bytes)?.map((it) => (kindOf(it) === 'object' ? membersOf(it) : undefined))
  if (entries?.every((it) => it !== undefined)) return entries
  throw new UsageError(
    `${file} must be a file of conflicts, as heirloom merge writes them: JSON without duplicate members.`,
  )
}

function parse(bytes: Uint8Array): readonly Value[] | undefined {
  try {
    const value = readValue(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const conflicts = membersOf(value)?.get('conflicts')?.value
    return conflicts && kindOf(conflicts) === 'array' ? itemsOf(conflicts) : undefined
  } catch {
    return undefined
  }
}

const takes = ['base', 'ours', 'theirs', 'both'] as const
const needed: ReadonlyMap<string, Kind> = new Map([
  ['items', 'array'],
  ['lines', 'string'],
  ['order', 'array'],
])

function readDecision(file: string, entry: Entry): Resolution | undefined {
  const [value, take] = [entry.get('value')?.value, entry.get('take')?.value]
  const kind = nameIn(entry.get('kind')?.value)
  const place = `${file}: the conflict at "${nameIn(entry.get('path')?.value)}"`
  if (value !== undefined) return readOwnValue(place, kind, value)
  return take === undefined || textOf(take) === 'null' ? undefined : readTake(place, kind, take)
}

function readOwnValue(place: string, kind: string, value: Value): Resolution {
  const expected = needed.get(kind)
  if (expected === undefined || kindOf(value) === expected) return { value: textOf(value) }
  throw new UsageError(`${place} needs ${expected === 'array' ? 'a list' : 'a string'} as value.`)
}

function readTake(place: string, kind: string, take: Value): Resolution {
  const hasBoth = kind === 'items' || kind === 'lines'
  const taken = takes.find((it) => it === nameIn(take))
  if (taken !== undefined && (taken !== 'both' || hasBoth)) return { take: taken }
  throw new UsageError(`${place} can take ours, theirs or base${hasBoth ? ', or both' : ''}.`)
}

const nameIn = (value: Value | undefined): string =>
  value !== undefined && kindOf(value) === 'string' ? stringOf(value) : ''
