/** The items of an array that a selector can select, each for itself: a slice as RFC 9535 has it. */
export type ItemSlice = {
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly step: number
}

/** The items of an array at `first`, `first + step` and so on, below `end`. */
export type ItemRange = { readonly first: number; readonly end: number; readonly step: number }

/** A JSONPath (RFC 9535) that was parsed. */
export type PathQuery = {
  /** Its text. */
  readonly path: string
  /** The names and indexes at its beginning that select one value at most. */
  readonly prefix: readonly (string | number)[]
  /** The rest; absent when the path ends there. */
  readonly rest?: PathRest | undefined
}

/** The part of a JSONPath from the first selector on that can select several values. */
export type PathRest = {
  /** The items that its first selector can select, where it looks at each item for itself. */
  readonly items?: ItemSlice | undefined
  /** Whether it selects nothing in a value that is no array. */
  readonly needsArray: boolean
  /**
   * Evaluates it over a stretch of the document.
   *
   * @throws `part/too-costly`
   */
  readonly select: (stretch: DocumentStretch, bounds: SelectBounds) => Promise<Selected>
}

/** Bytes of a document to evaluate the rest of a path over. */
export type DocumentStretch = {
  /** The whole value at the prefix, or items of it from the beginning of one on. */
  readonly bytes: Uint8Array
  /** The items that the path looks at, and the number of the first one in the bytes. */
  readonly items?: (ItemRange & { readonly at: number }) | undefined
}

/** The extent of an answer. */
export type SelectBounds = {
  /** The matches of the first value or item to pass over. */
  readonly known: number
  /** The most matches. */
  readonly limit: number
  /** The bytes that are left for their texts. */
  readonly room: number
  /** The bytes of the longest value that is returned with its text. */
  readonly longest: number
}

/** A value that a path selects. */
export type SelectedValue = {
  /** The names and numbers that lead to it; absent when its pointer would be too long. */
  readonly tokens?: readonly string[] | undefined
  /** The length of its exact text in bytes. */
  readonly bytes: number
  /** Its exact text; absent when it is longer than `longest`. */
  readonly text?: string | undefined
}

/** The values that a path selects in a stretch, in the order of the document. */
export type Selected = {
  readonly values: readonly SelectedValue[]
  /** The place to go on from in this stretch, when the bounds ended the answer. */
  readonly next?: { readonly at: number; readonly known: number } | undefined
  /** The number of the first item that the stretch does not hold whole, and its place in it. */
  readonly rest?: { readonly at: number; readonly offset: number } | undefined
}

/** Returns the value between two bounds that is nearest to a value. */
export function within(value: number, least: number, most: number): number {
  if (value < least) return least
  if (value > most) return most
  return value
}

/** Returns the items that a slice selects of an array of this length, in the order of the array. */
export function rangeOf({ start, end, step }: ItemSlice, length: number): ItemRange {
  if (step === 0) return { first: 0, end: 0, step: 1 }
  const at = (place: number) => (place >= 0 ? place : length + place)
  if (step > 0) {
    const first = within(at(start ?? 0), 0, length)
    return { first, end: within(at(end ?? length), 0, length), step }
  }
  const last = within(at(start ?? length - 1), -1, length - 1)
  const below = within(at(end ?? -length - 1), -1, length - 1)
  if (last <= below) return { first: 0, end: 0, step: 1 }
  const steps = ((last - below - 1) / -step) | 0
  return { first: last + steps * step, end: last + 1, step: -step }
}

/** Returns whether the length of the array decides what a slice selects. */
export function needsLength({ start = 0, end = 0, step }: ItemSlice): boolean {
  return step < 0 || start < 0 || end < 0
}
