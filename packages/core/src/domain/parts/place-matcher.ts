import type { Frame } from './search-cursor.ts'
import { type TextMatcher, textMatcher } from './text-matcher.ts'

export declare namespace placeMatcher {
  type Input = {
    /** Whether an earlier answer returned this string. */
    readonly isKnown: boolean
    /** The objects and arrays around a name; absent for a value. */
    readonly frames: readonly Frame[] | undefined
  }
}

/** Creates a matcher of one string for a folded text, to which the string is one place or none. */
export function placeMatcher(folded: string, { isKnown, frames }: placeMatcher.Input): TextMatcher {
  const matcher = textMatcher(folded, { known: 0, most: 1 })
  const mayBePlace = frames === undefined || isChosenName(frames)
  let seen = 0
  return {
    push: (piece, isLast) => {
      if (!mayBePlace) return []
      const found = matcher.push(piece, isLast)
      const places = frames === undefined ? found : found.filter(isWhole)
      seen += places.length
      return isKnown ? [] : places
    },
    seen: () => seen,
  }
}

/** Returns whether the writer of a memory chose a name: those of the document and of its lists are structure. */
const isChosenName = (frames: readonly Frame[]): boolean =>
  frames.length > 1 && frames.every(({ isObject }) => isObject)

const isWhole = ({ before, after }: { readonly before: string; readonly after: string }) =>
  before === '' && after === ''
