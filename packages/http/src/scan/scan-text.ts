import { collector } from './collector.ts'
import { isJson, nestsTooDeep } from './json-strings.ts'
import type { Scan } from './scan.ts'
import { scanString } from './scan-string.ts'
import { toolShapeFinder } from './tool-shapes.ts'
import { pointerOf, type StringPlace, walkStrings } from './walk-strings.ts'

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
