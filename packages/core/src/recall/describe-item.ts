import { printTime } from '../values/print-time.ts'
import { instant } from '../values/time.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of an item as a reader is shown it, and the speaker and the time that it names. */
export type Description = {
  readonly text: string
  readonly who?: string | undefined
  readonly when?: string | undefined
  /**
   * The time until which it holds by its member `validUntil`: a number in milliseconds since 1970, or a
   * text as ISO 8601 has it, in UTC; 0 where its member `replacedBy` names another one.
   */
  readonly until?: number | string | undefined
}

/**
 * The numbers of a list that is an embedding, from which on a number is in none, and the most characters
 * of a text that is none.
 */
const embedding = { least: 17, most: 8_192, beyond: 256, text: 200 } as const

/**
 * Reports whether a value is an embedding, an image or the like: a list of many small numbers, or a long
 * text of letters without spaces, of which every sixteenth or more is a digit. Nobody asks for a part of
 * it, and the different words of many would be more than an index has room for.
 */
export function isCoded(value: unknown): boolean {
  if (Array.isArray(value)) {
    const { length } = value
    const isMany = length >= embedding.least && length <= embedding.most
    return isMany && value.every(isSmall)
  }
  if (typeof value !== 'string' || value.length <= embedding.text) return false
  const start = value.slice(0, embedding.text)
  return start.replaceAll(/\D/g, '').length * 16 >= start.length && !/[^\w+/=-]/.test(value)
}

/** Years, numbers of accounts and telephones, and what things cost in all, are asked for. */
const isSmall = (it: unknown): boolean =>
  typeof it === 'number' && it > -embedding.beyond && it < embedding.beyond

/** The names of members that say what an item is, and of those that say something about it. */
const known = {
  text: [
    'text',
    'content',
    'parts',
    'body',
    'message',
    'note',
    'fact',
    'memory',
    'value',
    'summary',
  ],
  who: ['who', 'speaker', 'author', 'sender', 'role', 'user', 'from', 'name'],
  when: [
    ...['when', 'date', 'time', 'timestamp', 'created_at', 'createdAt', 'create_time', 'saved'],
    ...['datetime'],
  ],
} as const

/** The names of members that hold a record together, and say nothing to a reader. */
const plumbing: ReadonlySet<string> = new Set([
  ...['id', '_id', 'uuid', 'uid', 'parent', 'parent_id', 'children', 'status', 'type', 'kind'],
  ...['content_type', 'message_id', 'conversation_id', 'current_node', 'update_time', 'updated_at'],
])

/** These names say nothing of the items that have them. */
export const structural: ReadonlySet<string> = new Set([
  ...Object.values(known).flat(),
  ...plumbing,
  'mapping',
])

/** Describes a record. */
export function describeItem(record: JsonRecord): Description {
  const text = textOf(record)
  const said = sayers(record)
  const who = said.map(whoOf).find((it) => it !== undefined)
  const when = said.map(whenOf).find((it) => it !== undefined)
  const until = untilOf(record)
  return { text, who: who === text ? undefined : who, when, until }
}

/** Returns a record and those inside it that hold its text, such as the message of a node. */
function sayers(record: JsonRecord): readonly JsonRecord[] {
  const inner = known.text.map((it) => record[it]).find(isRecord)
  return inner === undefined ? [record] : [record, ...sayers(inner)]
}

function whoOf(record: JsonRecord): string | undefined {
  const found = known.who.map((it) => record[it]).map((it) => (isRecord(it) ? whoOf(it) : it))
  return found.find((it) => typeof it === 'string' && it !== '' && it.length <= longestLabel) as
    | string
    | undefined
}

function whenOf(record: JsonRecord): string | undefined {
  return known.when.map((it) => timeText(record[it])).find((it) => it !== undefined)
}

/** The longest speaker or time that is shown, in characters. */
const longestLabel = 100

function timeText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value !== '' && value.length <= longestLabel ? value : undefined
  }
  if (typeof value !== 'number' || value < leastSeconds || value >= mostMilliseconds)
    return undefined
  const milliseconds = value < leastMilliseconds ? value * 1000 : value
  return printTime(instant(milliseconds - (milliseconds % 1)))
}

/** A number of at least this is a time in seconds since 1970, or in milliseconds; below the last. */
const [leastSeconds, leastMilliseconds, mostMilliseconds] = [1e8, 1e11, 1e14]

function textOf(value: unknown): string {
  if (!isRecord(value)) return plainText(value)
  // Each member is read once: a memory may nest them a thousand levels deep.
  for (const name of known.text) {
    const text = textOf(value[name])
    if (text !== '') return text
  }
  return labelled(value, isOther)
}

const isOther = (name: string): boolean => !(known.text as readonly string[]).includes(name)

/** Returns the texts of a value, but for what holds its records together. */
function plainText(value: unknown): string {
  if (isCoded(value)) return ''
  if (typeof value === 'string' || typeof value === 'number') return `${value}`
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter((it) => it !== '')
      .join(' ')
  return isRecord(value) ? labelled(value) : ''
}

const labelled = (record: JsonRecord, isShown = (_name: string): boolean => true): string =>
  Object.entries(record)
    .filter(([name]) => !plumbing.has(name) && isShown(name))
    .map(([name, value]) => [name, plainText(value)])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ')

function untilOf({ validUntil, replacedBy }: JsonRecord): Description['until'] {
  if (typeof replacedBy === 'string' ? replacedBy !== '' : typeof replacedBy === 'number') return 0
  if (typeof validUntil === 'number') return validUntil
  return typeof validUntil === 'string' && isoDay.test(validUntil) ? validUntil : undefined
}

/** The beginning of a time as ISO 8601 writes it. */
const isoDay = /^\d{4}-\d\d-\d\d/
