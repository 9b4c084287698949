import { printPointer } from '../json/pointer.ts'
import {
  type Description,
  describeItem,
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

type Place = {
  readonly tokens: readonly string[]
  readonly list: number
  /** The short texts of the records around it: the title of a conversation, the customer of a ticket. */
  readonly about: readonly string[]
}

type Walk = {
  readonly items: RecallItem[]
  lists: number
  readonly measures: Map<object, Measure>
}

/**
 * Returns the items of a parsed JSON document in its order. An item is an element of a list, or the
 * smallest object around a text, together with the short texts below it; a member of an object that
 * holds other items is one by itself, and so is each stretch of a long string.
 */
export function recallItems(document: unknown): readonly RecallItem[] {
  const walk: Walk = { items: [], lists: 0, measures: new Map() }
  visit(walk, document, { tokens: [], list: 0, about: [] })
  return walk.items
}

function visit(walk: Walk, value: unknown, place: Place): void {
  if (typeof value === 'string') addText(walk, value, place)
  else if (typeof value === 'number') addNumber(walk, value, place)
  else if (Array.isArray(value)) visitAll(walk, value.entries(), place)
  else if (isRecord(value)) visitRecord(walk, value, place)
}

/** Adds a number of the data itself: one among others says nothing without them. */
function addNumber(walk: Walk, value: number, place: Place): void {
  if (place.tokens.length <= 2) addText(walk, `${value}`, place)
}

function visitRecord(walk: Walk, record: JsonRecord, place: Place): void {
  // The document itself and its data are no items, however short they are.
  if (place.tokens.length < 2) visitAll(walk, Object.entries(record), place)
  else if (isAtomic(walk, record)) addRecord(walk, record, place)
  else visitMembers(walk, record, place)
}

/** Visits the members of a record that holds items: the short ones say together what it is. */
function visitMembers(walk: Walk, record: JsonRecord, place: Place): void {
  const members = Object.entries(record)
  const labels = members.filter(([, it]) => isLabel(it))
  addRecord(walk, Object.fromEntries(labels), place)
  const others = members.filter(([, it]) => !isLabel(it))
  visitAll(walk, others, withTextsOf(record, place))
}

/** Reports whether a member says something about its record, which holds items of its own. */
const isLabel = (value: unknown): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= longest.about && !isPassage(value))

function addRecord(walk: Walk, record: JsonRecord, place: Place): void {
  const said = describeItem(record)
  if (said.text !== '') addItem(walk, place, { ...said, ...textsIn(record) })
}

/** Returns a place with the short texts of a record, but for the document and its data. */
function withTextsOf(record: JsonRecord, place: Place): Place {
  const { tokens, about } = place
  const isOfMany = tokens.length > 2 || /^\d+$/.test(tokens.at(-1) ?? '')
  if (!isOfMany) return place
  const texts = Object.values(record).filter((it) => typeof it === 'string')
  let room: number = longest.about
  const fits = ({ length }: string) => {
    const isShort = length <= room
    if (isShort) room -= length
    return isShort
  }
  return { ...place, about: [...texts, ...about].filter(fits) }
}

function visitAll(
  walk: Walk,
  members: Iterable<readonly [string | number, unknown]>,
  { tokens, about }: Place,
): void {
  walk.lists += 1
  const list = walk.lists
  for (const [token, value] of members)
    visit(walk, value, { tokens: [...tokens, `${token}`], list, about })
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

/** Measures a container once: those around it look at it again, up to a thousand levels. */
function measure(walk: Walk, container: object): Measure {
  const known = walk.measures.get(container)
  if (known !== undefined) return known
  const values: readonly unknown[] = Object.values(container)
  const inside = values.map((it) => measureValue(walk, it))
  const isList = Array.isArray(container)
  const isItem = (it: unknown, at: number) =>
    isList
      ? isRecord(it) || isSentence(it)
      : isPassage(it) || (isRecord(it) && inside[at]?.hasSentence === true)
  const measured = {
    size: inside.reduce((sum, { size }) => sum + size, 0),
    hasSentence: isList ? values.some(isSentence) : inside.some((it) => it.hasSentence),
    holdsItems: values.filter(isItem).length > 1 || inside.some((it) => it.holdsItems),
  }
  walk.measures.set(container, measured)
  return measured
}

function measureValue(walk: Walk, value: unknown): Measure {
  if (typeof value === 'object' && value !== null) return measure(walk, value)
  const size = typeof value === 'string' ? value.length : 1
  return { size, hasSentence: isSentence(value), holdsItems: false }
}

const isSentence = (it: unknown): boolean =>
  typeof it === 'string' && it.length >= sentence && it.includes(' ')

const isPassage = (it: unknown): boolean =>
  typeof it === 'string' && (it.length > longest.stretch / 2 || it.trim().includes('\n'))

type Texts = { readonly values: readonly string[]; readonly names: readonly string[] }

/** Returns the texts of a value, and the names of its members that say something of them. */
function textsIn(value: unknown): Texts {
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

function addText(walk: Walk, text: string, place: Place): void {
  if (text.length <= longest.stretch) addItem(walk, place, { text, values: [text], names: [] })
  else addStretches(walk, text, place)
}

function addStretches(walk: Walk, text: string, place: Place): void {
  walk.lists += 1
  const inside = { ...place, list: walk.lists }
  for (const stretch of stretchesOf(text)) {
    const part = text.slice(...stretch)
    addItem(walk, inside, { text: part, stretch, values: [part], names: [] })
  }
}

function addItem(
  { items }: Walk,
  { tokens, list, about }: Place,
  item: Omit<RecallItem, 'pointer' | 'list'>,
): void {
  // The names on the way are those of what is asked, as in `preferences`; the first is `data`.
  const path = tokens.slice(1).filter((it) => !/^\d+$/.test(it) && !structural.has(it))
  items.push({
    ...item,
    pointer: printPointer(tokens),
    list,
    names: [...path, ...about, ...item.names],
  })
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
