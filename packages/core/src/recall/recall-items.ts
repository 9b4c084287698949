import { escapeToken, maxPointerLength } from '../json/pointer.ts'
import {
  type Description,
  describeItem,
  isCoded,
  isRecord,
  type JsonRecord,
  structural,
} from './describe-item.ts'

/** A place in a memory that can answer a question. */
export type RecallItem = Description & {
  /** The JSON Pointer of its value; `undefined` where it would be longer than a pointer may be. */
  readonly pointer: string | undefined
  /** The stretch of a long string that it is, in UTF-16 code units; absent for a whole value. */
  readonly stretch?: readonly [start: number, end: number]
  /** Its strings and numbers. */
  readonly values: readonly string[]
  /** The names of the members that have them, and the short texts of the records around it. */
  readonly names: readonly string[]
  /** The number of the list that it is in, or that its stretches are; neighbours have the same. */
  readonly list: number
}

/**
 * The most characters of an item of several values, of a stretch of a long string, and of the texts of
 * the records around an item by which it is found too.
 */
const longest = { item: 2_000, stretch: 600, about: 200 } as const

/** The fewest characters of a text that is an item of its own inside a list of texts in an item. */
const sentence = 25

/** The most names on the way to an item by which it is found too: those nearest to it. */
const mostNames = 16

/** About the characters of the items that are found at once. */
const batchLength = 65_536

type Place = {
  /** The number of names and numbers on the way to it. */
  readonly depth: number
  readonly pointer: string | undefined
  readonly isInList: boolean
  /** The names on the way that say something of it, as in `preferences`. */
  readonly path: readonly string[]
  readonly list: number
  /** The short texts of the records around it: the title of a conversation, the customer of a ticket. */
  readonly about: readonly string[]
}

type Walk = {
  items: RecallItem[]
  /** About the characters that were looked at since the last batch. */
  work: number
  lists: number
  readonly measures: Map<object, Measure>
}

/** A value to look at, and the stretch of a long string that it is. */
type Visit = {
  readonly value: unknown
  readonly place: Place
  readonly stretch?: Stretch | undefined
}

type Stretch = NonNullable<RecallItem['stretch']>

/** The values inside a value; none of one that was looked at as a whole. */
type Inside = Iterator<Visit> | undefined

/**
 * Parses a JSON document. In one of at most 4 Mi characters a number beyond 2^53 is the text of its
 * digits: to parse them so takes much memory.
 */
export function parseItems(text: string): unknown {
  if (text.length > longestExact || !longNumber.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    isLong(value) ? (context?.source ?? value) : value,
  )
}

const isLong = (value: unknown): boolean =>
  typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)

const longestExact = 4_194_304
const longNumber = /[:[,]\s*-?\d{16}/

/**
 * Yields the items of a parsed JSON document in its order, some at a time, so that other work has its
 * turn. An item is an element of a list, or the smallest object around a text, together with the short
 * texts below it; a member of an object that holds other items is one by itself, and so is each stretch
 * of a long string.
 */
export function* itemBatches(document: unknown): Generator<readonly RecallItem[], void> {
  const walk: Walk = { items: [], work: 0, lists: 0, measures: new Map() }
  const open: Iterator<Visit>[] = [[{ value: document, place: startPlace }].values()]
  while (open.length > 0) {
    visitNext(walk, open)
    if (walk.work >= batchLength) yield takeBatch(walk)
  }
  yield walk.items
}

/** Visits the next of the values that are open: those in the innermost container first. */
function visitNext(walk: Walk, open: Iterator<Visit>[]): void {
  const next = open.at(-1)?.next()
  if (next === undefined || next.done === true) open.pop()
  else {
    const inside = visit(walk, next.value)
    if (inside !== undefined) open.push(inside)
    walk.work += workOfValue
  }
}

const startPlace: Place = { depth: 0, pointer: '', isInList: false, path: [], list: 0, about: [] }

function visit(walk: Walk, { value, place, stretch }: Visit): Inside {
  if (typeof value === 'string')
    return isCoded(value) ? undefined : addText(walk, value, { place, stretch })
  if (typeof value === 'number') return addNumber(walk, value, place)
  if (Array.isArray(value)) return valuesIn(walk, value.keys(), { value, place })
  return isRecord(value) ? visitRecord(walk, value, place) : undefined
}

/** The work of a value besides its characters. */
const workOfValue = 50

function takeBatch(walk: Walk): readonly RecallItem[] {
  const { items } = walk
  walk.items = []
  walk.work = 0
  // What is measured anew costs less than to hold the measures of all containers.
  walk.measures.clear()
  return items
}

/** Adds a number of the data itself: one among others says nothing without them. */
function addNumber(walk: Walk, value: number, place: Place): undefined {
  if (place.depth <= 2) addItem(walk, place, wholeText(`${value}`))
}

function visitRecord(walk: Walk, record: JsonRecord, place: Place): Inside {
  // The document itself and its data are no items, however short they are.
  if (place.depth < 2) return valuesIn(walk, Object.keys(record), { value: record, place })
  return isAtomic(walk, record) ? addRecord(walk, record, place) : visitMembers(walk, record, place)
}

/** Visits the members of a record that holds items: the short ones say together what it is. */
function visitMembers(walk: Walk, record: JsonRecord, place: Place): Inside {
  const names = Object.keys(record)
  // The members of a long table are items by themselves.
  const labels = names.length > mostLabels ? [] : names.filter((it) => isLabel(record[it]))
  addRecord(walk, Object.fromEntries(labels.map((it) => [it, record[it]])), place)
  const known = new Set(labels)
  const others = names.filter((it) => !known.has(it))
  return valuesIn(walk, others, { value: record, place: withTextsOf(record, names, place) })
}

/** The most members of a record of which the short ones say what it is. */
const mostLabels = 1_000

/** Reports whether a member says something about its record, which holds items of its own. */
const isLabel = (value: unknown): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= longest.about && !isPassage(value))

function addRecord(walk: Walk, record: JsonRecord, place: Place): undefined {
  const said = describeItem(record)
  if (said.text !== '') addItem(walk, place, { ...said, ...textsIn(record) })
}

/** Returns a place with the short texts of a record, but for the document and its data. */
function withTextsOf(record: JsonRecord, names: readonly string[], place: Place): Place {
  const isOfMany = place.depth > 2 || place.isInList
  if (!isOfMany) return place
  const own = names.slice(0, mostLabels).map((it) => record[it])
  const texts = own.filter((it) => typeof it === 'string')
  let room: number = longest.about
  const fits = ({ length }: string) => {
    const isShort = length <= room
    if (isShort) room -= length
    return isShort
  }
  return { ...place, about: [...texts, ...place.about].filter(fits) }
}

type Container = { readonly value: object; readonly place: Place }

function* valuesIn(
  walk: Walk,
  names: Iterable<string | number>,
  { value, place }: Container,
): Generator<Visit> {
  walk.lists += 1
  const list = walk.lists
  const members = value as Readonly<Record<string | number, unknown>>
  for (const name of names)
    yield { value: members[name], place: { ...placeBelow(place, name), list } }
}

function placeBelow(
  { depth, pointer: above, path, ...place }: Place,
  name: string | number,
): Place {
  const token = `${name}`
  const pointer = above === undefined ? above : `${above}/${escapeToken(token)}`
  const isInList = /^\d+$/.test(token)
  // The first name is `data`.
  const isNamed = depth > 0 && !isInList && !structural.has(token)
  return {
    ...place,
    depth: depth + 1,
    pointer: pointer !== undefined && pointer.length > maxPointerLength ? undefined : pointer,
    isInList,
    path: isNamed ? [...path, token].slice(-mostNames) : path,
  }
}

/** The texts in a container, by which it is one item or holds several. */
type Measure = {
  /** The characters of its strings, and its other values. */
  readonly size: number
  /** Whether a sentence is in it, outside the lists of records. */
  readonly hasSentence: boolean
  /** Whether something in it is an item of its own. */
  readonly holdsItems: boolean
}

/** Reports whether a record is one item: short, and without records or sentences that are items. */
function isAtomic(walk: Walk, record: JsonRecord): boolean {
  const { size, holdsItems } = measure(walk, record)
  return !holdsItems && size <= longest.item
}

/**
 * Measures a container once: those around it look at it again, up to a thousand levels. Of a long one
 * it looks at the beginning: it is no item.
 */
function measure(walk: Walk, container: object): Measure {
  const known = walk.measures.get(container)
  if (known !== undefined) return known
  const values: readonly unknown[] = Object.values(container)
  if (values.length > longest.item) return tooLong
  const inside: Measure[] = []
  let size = 0
  for (const value of values) {
    const measured = measureValue(walk, value)
    inside.push(measured)
    size += measured.size
    if (size > longest.item) break
  }
  const isList = Array.isArray(container)
  const isItem = (it: unknown, at: number) =>
    isList
      ? isRecord(it) || isSentence(it)
      : isPassage(it) || (isRecord(it) && inside[at]?.hasSentence === true)
  const measured = {
    size: size || 1,
    hasSentence: isList ? values.some(isSentence) : inside.some((it) => it.hasSentence),
    holdsItems: values.filter(isItem).length > 1 || inside.some((it) => it.holdsItems),
  }
  walk.measures.set(container, measured)
  return measured
}

const coded: Measure = { size: 1, hasSentence: false, holdsItems: false }
const tooLong: Measure = { size: longest.item + 1, hasSentence: false, holdsItems: true }

function measureValue(walk: Walk, value: unknown): Measure {
  if (isCoded(value)) return coded
  if (typeof value === 'object' && value !== null) return measure(walk, value)
  const size = typeof value === 'string' ? value.length : 1
  return { size, hasSentence: isSentence(value), holdsItems: false }
}

const isSentence = (it: unknown): boolean =>
  typeof it === 'string' && it.length >= sentence && it.includes(' ')

const isPassage = (it: unknown): boolean =>
  typeof it === 'string' &&
  (it.length > longest.stretch / 2 ? !isCoded(it) : it.trim().includes('\n'))

type Texts = { readonly values: readonly string[]; readonly names: readonly string[] }

/** Returns the texts of a value, and the names of its members that say something of them. */
function textsIn(value: unknown): Texts {
  if (isCoded(value)) return { values: [], names: [] }
  if (typeof value === 'string' || typeof value === 'number')
    return { values: [`${value}`], names: [] }
  if (typeof value !== 'object' || value === null) return { values: [], names: [] }
  const inside = Object.values(value).map(textsIn)
  const own = Array.isArray(value) ? [] : Object.keys(value).filter((it) => !structural.has(it))
  return {
    values: inside.flatMap(({ values }) => values),
    names: [...own, ...inside.flatMap(({ names }) => names)],
  }
}

function addText(walk: Walk, text: string, { place, stretch }: Omit<Visit, 'value'>): Inside {
  if (stretch === undefined && text.length > longest.stretch)
    return valuesOfStretches(walk, text, place)
  addItem(walk, place, { ...wholeText(text), ...(stretch !== undefined && { stretch }) })
  return undefined
}

const wholeText = (text: string) => ({ text, values: [text], names: [] })

function* valuesOfStretches(walk: Walk, text: string, place: Place): Generator<Visit> {
  walk.lists += 1
  const inside = { ...place, list: walk.lists }
  for (const stretch of stretchesOf(text))
    yield { value: text.slice(...stretch), place: inside, stretch }
}

function addItem(
  walk: Walk,
  { pointer, path, list, about }: Place,
  item: Omit<RecallItem, 'pointer' | 'list'>,
): void {
  walk.work += item.text.length
  walk.items.push({ ...item, pointer, list, names: [...path, ...about, ...item.names] })
}

/** Yields the stretches of a long text, cut behind a line, a sentence or a word. */
function* stretchesOf(text: string): Generator<readonly [number, number]> {
  for (let start = 0; start < text.length; ) {
    const end = endOfStretch(text, start)
    yield [start, end]
    start = end
  }
}

const ends = ['\n\n', '\n', '. ', '。', ' '] as const

function endOfStretch(text: string, start: number): number {
  const most = start + longest.stretch
  if (most >= text.length) return text.length
  const least = start + longest.stretch / 3
  // Without it, each stretch would look for an end in all that is before it.
  const near = text.slice(least, most)
  for (const end of ends) {
    const at = near.lastIndexOf(end)
    if (at >= 0) return least + at + end.length
  }
  return isLow(text, most) ? most - 1 : most
}

const isLow = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '')
