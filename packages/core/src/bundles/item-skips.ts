import {
  afterRun,
  afterString,
  plain,
  type ScanPoint,
  type Segment,
  steps,
  surveySegment,
} from '../json/segments.ts'

/**
 * Segments that follow each other in a document and, byte for byte, in an earlier document that has
 * items. The state before each and its survey are those in the earlier document.
 */
export type UnchangedRun = {
  /** The position of the first segment in the document. */
  readonly offset: number
  readonly segments: readonly Omit<Segment, 'offset'>[]
}

/** The search of a walk through the values of a document for elements that it need not read. */
export type ItemSkips = {
  readonly runs: readonly UnchangedRun[]
  /** The position that no skip goes beyond. */
  readonly limit: number
  /** No skip begins at a comma before this position. */
  from: number
  run: number
  segment: number
  /** The positions of the segment. */
  start: number
  end: number
  /** The number of segments that may still be looked at, so that no document takes many times as long. */
  budget: number
}

/** A comma between two elements of an array that a walk has come to. */
export type ElementComma = {
  readonly at: number
  /** The position of the comma or bracket before the element that ends here. */
  readonly mark: number
  /** The number of containers around the elements. */
  readonly depth: number
}

/** A later comma of the same array, and the number of elements up to there. */
export type Skip = { readonly at: number; readonly elements: number }

/** More than any position. */
const nowhere = Number.MAX_SAFE_INTEGER

const comma = 0x2c
const quote = 0x22

/** Describes how often each segment may be looked at, on the average. */
const looks = 8

/**
 * Returns a search that goes beyond no position after which there may be too few values: `values` of
 * at most `depth` containers are needed there.
 */
export function itemSkips(
  runs: readonly UnchangedRun[],
  needed: { readonly values: number; readonly depth: number },
): ItemSkips {
  const limit = limitOf(runs, needed)
  const count = runs.reduce((sum, { segments }) => sum + segments.length, 0)
  return {
    runs,
    limit,
    from: limit > 0 ? (runs[0]?.offset ?? nowhere) : nowhere,
    run: -1,
    segment: 0,
    start: 0,
    end: 0,
    budget: looks * count,
  }
}

/** Returns the position after which the surveys count as many elements as there should be values. */
function limitOf(
  runs: readonly UnchangedRun[],
  { values, depth }: { readonly values: number; readonly depth: number },
): number {
  let found = 0
  const last = runs.flatMap(positions).findLast(({ survey }) => {
    found += survey.leastDepth <= depth ? survey.separators : 0
    return found >= values
  })
  return last?.offset ?? 0
}

/** Returns the segments of a run with their positions. */
function positions({
  offset,
  segments,
}: UnchangedRun): readonly Pick<Segment, 'offset' | 'survey'>[] {
  let end = offset
  return segments.map(({ length, survey }) => {
    end += length
    return { offset: end - length, survey }
  })
}

/**
 * Returns how far a walk may go on without reading, from a comma of an array; `undefined` when it
 * must read on.
 *
 * The element before the comma was read, and all of it is unchanged. So in the earlier document the
 * same bytes stood in an array, too: an object would have had a colon there. What follows them was
 * read in the earlier document, as elements of that array, up to its last comma before the depth
 * falls below it or the bytes differ. Elements are read alike wherever they stand at the same depth,
 * and hold no object with a name twice, since the earlier document has items.
 */
export function findSkip(
  skips: ItemSkips,
  bytes: Uint8Array,
  from: ElementComma,
): Skip | undefined {
  if (!enterSegment(skips, from.at)) return undefined
  const { runs, run, segment, end } = skips
  const { offset, segments } = runs[run] as UnchangedRun
  const following = segments[segment + 1]
  if (from.mark < offset || following === undefined) return undefined
  if (following.survey.leastDepth < from.depth) return undefined
  const last = lastSegment(skips, from.depth)
  const found = last && isSameArray(skips, bytes, from) && skipTo(skips, bytes, { from, last })
  // One search in each segment is enough: its end comes soon.
  if (!found) skips.from = end
  return found || undefined
}

/** Goes on to the segment of a position; returns `false` when it is in none. */
function enterSegment(skips: ItemSkips, at: number): boolean {
  while (at >= skips.end && nextSegment(skips));
  skips.from = at >= skips.end || skips.start >= skips.limit ? nowhere : skips.start
  return skips.from <= at
}

function nextSegment(skips: ItemSkips): boolean {
  const { runs } = skips
  const isInRun = skips.segment + 1 < (runs[skips.run]?.segments.length ?? 0)
  if (!isInRun && skips.run + 1 >= runs.length) return false
  skips.segment = isInRun ? skips.segment + 1 : 0
  if (!isInRun) skips.run += 1
  const { offset, segments } = runs[skips.run] as UnchangedRun
  skips.start = isInRun ? skips.end : offset
  skips.end = skips.start + (segments[skips.segment]?.length ?? 0)
  return true
}

/** A segment of the run of a search. */
type Place = { readonly index: number; readonly start: number; readonly separators: number }

/** Returns the last segment with a comma of the array, with the number of all commas up to its end. */
function lastSegment(skips: ItemSkips, depth: number): Place | undefined {
  const { segments } = skips.runs[skips.run] as UnchangedRun
  let found: Place | undefined
  let start = skips.end
  let separators = 0
  for (let index = skips.segment + 1; index < segments.length && skips.budget > 0; index++) {
    const { length, survey } = segments[index] as Omit<Segment, 'offset'>
    if (survey.leastDepth < depth || start + length > skips.limit) return found
    skips.budget -= 1
    if (survey.leastDepth === depth && survey.separators > 0) {
      separators += survey.separators
      found = { index, start, separators }
    }
    start += length
  }
  return found
}

/** Returns whether the element before a comma was outside strings, at the same depth, before. */
function isSameArray(skips: ItemSkips, bytes: Uint8Array, { mark, depth }: ElementComma): boolean {
  const { segments } = skips.runs[skips.run] as UnchangedRun
  let { segment, start } = skips
  while (start > mark) {
    segment -= 1
    start -= (segments[segment] as Omit<Segment, 'offset'>).length
    skips.budget -= 1
  }
  const { from } = segments[segment] as Omit<Segment, 'offset'>
  const { next } = surveySegment(bytes.subarray(start, mark + 1), from)
  return !next.inString && next.depth === depth
}

function skipTo(
  { runs, run, end }: ItemSkips,
  bytes: Uint8Array,
  { from, last }: { readonly from: ElementComma; readonly last: Place },
): Skip | undefined {
  const { depth } = from
  const outside: ScanPoint = { inString: false, escaped: false, depth }
  const { survey } = surveySegment(bytes.subarray(from.at + 1, end), outside)
  if (survey.leastDepth < depth) return undefined
  const { from: state, length } = (runs[run] as UnchangedRun).segments[last.index] as Segment
  const before = lastComma(bytes.subarray(last.start, last.start + length), state, depth)
  if (before === undefined) return undefined
  return { at: last.start + before, elements: survey.separators + last.separators }
}

/** Returns the position of the last comma at a depth outside strings. */
function lastComma(bytes: Uint8Array, from: ScanPoint, needed: number): number | undefined {
  let { depth } = from
  let found: number | undefined
  for (let at = afterOpenString(bytes, from); at < bytes.length; at = afterToken(bytes, at)) {
    const byte = bytes[at] as number
    if (byte === comma && depth === needed) found = at
    depth += steps[byte] as number
  }
  return found
}

const afterOpenString = (bytes: Uint8Array, { inString, escaped }: ScanPoint) =>
  inString ? afterString(bytes, escaped ? 1 : 0) : 0

const afterToken = (bytes: Uint8Array, at: number) =>
  bytes[at] === quote ? afterString(bytes, at + 1) : afterRun(bytes, at + 1, plain)
