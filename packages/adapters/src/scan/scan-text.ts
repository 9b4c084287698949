import { collector } from './collector.ts'
import type { HeldString, Scan } from './finding.ts'
import { scanString } from './scan-string.ts'
import {
  type Frame,
  isJson,
  nestsTooDeep,
  pointerOf,
  type StringPlace,
  walkStrings,
} from './walk-strings.ts'

/** Scans a text at once: a pure function of the text. */
export function scanText(text: string): Scan {
  const steps = scanSteps(text)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Scans a text in steps, with a pause after each; the result is that of `scanText`. */
export async function scanInSteps(text: string, pause: () => Promise<void>): Promise<Scan> {
  const steps = scanSteps(text)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

/** Scans a text, or bytes in UTF-8, in steps. */
export const scanContent = (
  content: string | Uint8Array,
  pause: () => Promise<void>,
): Promise<Scan> =>
  scanInSteps(typeof content === 'string' ? content : decoder.decode(content), pause)

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Scans a text, and yields when a pause may be due. A text that is JSON, or a value of JSON in each
 * line, is scanned value by value; any other is one string.
 */
function* scanSteps(text: string): Generator<void, Scan> {
  const found = collector()
  const form = formOf(text)
  // No memory nests so deep, and what it holds is not read value by value.
  if (nestsTooDeep(text)) found.holdAll()
  if (form === 'plain') {
    yield* scanOne(found, { place: { at: 0, end: text.length, isName: false }, text })
  } else yield* scanValues(found, text, form === 'lines')
  return found.scan()
}

function formOf(text: string): 'json' | 'lines' | 'plain' {
  if (isJson(text)) return 'json'
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.every(isJson) ? 'lines' : 'plain'
}

type Found = ReturnType<typeof collector>

/** The characters and the strings, counted as some characters each, after which a scan pauses. */
const slice = 2 ** 18
const ofString = 64

function* scanValues(found: Found, text: string, lines: boolean): Generator<void> {
  const { events, frames } = walkStrings(text, { lines })
  const shapes = toolShapeFinder()
  let done = 0
  for (const event of events) {
    if (event.is === 'close') {
      addShape(found, shapes.close(frames))
      done += ofString
    } else {
      shapes.see(event, frames)
      const pointer = () => pointerOf(frames)
      if (event.isAgain) addWhole(found, { ...event, pointer }, 'hidden/duplicate-name')
      yield* scanOne(found, { ...event, pointer })
      done += event.text.length + ofString
    }
    if (done < slice) continue
    done = 0
    yield
  }
}

/** One word, in which nothing can be found. */
const isWord = /^[\w-]{0,23}$/

type Scanned = {
  readonly place: StringPlace
  readonly text: string
  readonly pointer?: () => string
}

function* scanOne(found: Found, { place, text, pointer = () => '' }: Scanned): Generator<void> {
  if (isWord.test(text)) return
  for (const match of scanString(text)) {
    if (match !== undefined) found.add({ place, text, pointer, match })
    else yield
  }
}

function addShape(found: Found, shape: Scanned | undefined): void {
  if (shape !== undefined) addWhole(found, shape, 'marker/tool-call')
}

function addWhole(
  found: Found,
  { place, text, pointer = () => '' }: Scanned,
  kind: 'marker/tool-call' | 'hidden/duplicate-name',
): void {
  found.add({ place, text, pointer, match: { kind, start: 0, end: text.length } })
}

/** A string of a document that makes the object around it a call of a tool. */
type Shape = {
  readonly place: StringPlace
  readonly text: string
  readonly pointer: () => string
}

const types = /^(?:tool_use|server_tool_use|function_call|tool_call|tool_result|mcp_call)$/

const names = /^(?:function_call|tool_calls)$/

/** Names of members that hold recorded conversations, in which calls of tools have their place. */
const conversation =
  /^(?:messages?|content|tool_calls?|parts|histor(?:y|ies)|conversations?|chat(?:_messages)?|turns?|steps?|events?|mapping|items|outputs?|inputs?|transcripts?|runs?|traces?|responses?|choices|threads?|channel_values|kwargs|additional_kwargs|chunks?)$/i

/**
 * Returns what finds calls of tools that are values of a document: outside of a conversation, and
 * in an object without a role.
 */
function toolShapeFinder() {
  const pending = new Map<Frame, Shape>()
  return {
    see: ({ place, text }: Omit<Shape, 'pointer'>, frames: readonly Frame[]): void => {
      const frame = frames.at(-1)
      if (frame === undefined || !isShape(place, text, frame) || pending.has(frame)) return
      if (frames.slice(0, -1).some(({ key }) => conversation.test(`${key}`))) return
      const pointer = pointerOf(frames)
      pending.set(frame, { place, text, pointer: () => pointer })
    },
    /** Returns the string that makes an object a call, at its end. */
    close: (frames: readonly Frame[]): Shape | undefined => {
      const frame = frames.at(-1)
      if (frame === undefined) return undefined
      const found = pending.get(frame)
      pending.delete(frame)
      return frame.names?.has('role') ? undefined : found
    },
  }
}

const isShape = ({ isName }: StringPlace, text: string, { key }: Frame): boolean =>
  isName ? names.test(text) : key === 'type' && types.test(text)

/**
 * Returns a copy of the text in which a note stands in the place of every string that is held back.
 * The rest is unchanged, and JSON stays JSON. A text that was scanned as one string is held whole.
 */
export function quarantine(text: string, { held, isAllHeld }: Scan): string {
  if (isAllHeld) return JSON.stringify({ note: '(held back as a whole)' })
  const parts: string[] = []
  let at = 0
  for (const [nth, string] of held.entries()) {
    parts.push(text.slice(at, string.at), noteOf(string, nth))
    at = string.end
  }
  return [...parts, text.slice(at)].join('')
}

// The number keeps the names of members apart.
const noteOf = ({ kinds }: HeldString, nth: number): string =>
  JSON.stringify(`(held back ${nth + 1}: ${kinds.join(', ')})`)

/** A copy of a document without what is held back. */
type Quarantined = {
  readonly data: object
  readonly metadata: { readonly category: string; readonly [member: string]: unknown }
  readonly document: Uint8Array<ArrayBuffer>
  readonly held: number
}

/** Returns a copy of a document with a note in the place of every string that is held back. */
export function quarantineMemory(document: Uint8Array, scan: Scan): Quarantined {
  const text = quarantine(new TextDecoder('utf-8', { ignoreBOM: true }).decode(document), scan)
  const { data, metadata } = scan.isAllHeld ? allHeld : (JSON.parse(text) as Quarantined)
  return { data, metadata, document: new TextEncoder().encode(text), held: scan.held.length }
}

/** Describes what is left of a memory that is held back as a whole. */
const allHeld = { data: {}, metadata: { category: 'quarantine' } }
