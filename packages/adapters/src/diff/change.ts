/** A difference between two JSON documents. Values are exact JSON texts, paths JSON pointers. */
export type Change =
  | { readonly kind: 'added'; readonly path: string; readonly value: string }
  | {
      readonly kind: 'removed'
      /** The place in the older document. */
      readonly path: string
      /** The place at its step of the patch, when all changes before it have been made. */
      readonly pathInPatch: string
      readonly value: string
    }
  | {
      readonly kind: 'changed'
      readonly path: string
      readonly before: string
      readonly after: string
    }
  /** A member that stands elsewhere among the members of its object: after all that were there. */
  | { readonly kind: 'moved'; readonly path: string }

/** The differences between two documents. */
export type Diff = {
  /** Whether the documents are the same bytes. */
  readonly isIdentical: boolean
  /**
   * The differences, in the order of the newer document. Empty, but not identical, means that both
   * have the same values in the same order and differ in white space or in the escapes of strings.
   */
  readonly changes: readonly Change[]
  /** The changes as a JSON Patch (RFC 6902): a JSON text, since its numbers are exact. */
  readonly patch: string
}

/** The texts of the three sides of a conflict; absent where there is nothing. */
type Sides = {
  readonly base?: string | undefined
  readonly ours?: string | undefined
  readonly theirs?: string | undefined
}

/**
 * A place that both sides changed, each in another way. `value`: the value at the path; absent on a
 * side that removed it. `items`: a row of items of the list at the path, as JSON lists. `lines`: lines
 * of the string at the path, as JSON strings. `order`: the order of the members of the object at the
 * path, as lists of names. `at` is the place of the first item or line in the base.
 */
export type Conflict = Sides & {
  readonly kind: 'value' | 'items' | 'lines' | 'order'
  /** The place in the base, as a JSON pointer. */
  readonly path: string
  readonly at?: number | undefined
}

/**
 * The end of a conflict: one of its sides, both for items and lines (ours first), or another
 * value as JSON text: a list for items, a string for lines.
 */
export type Resolution =
  | { readonly take: 'base' | 'ours' | 'theirs' | 'both' }
  | { readonly value: string }

/** Decides a conflict; `undefined` leaves it open. */
export type Resolve = (conflict: Conflict) => Resolution | undefined

/** A merge: the merged document, unless conflicts are left. */
export type Merge = {
  /** The JSON text of the merged document; absent while there are conflicts. */
  readonly text?: string | undefined
  /** The conflicts that are left. */
  readonly conflicts: readonly Conflict[]
}

/** Keeps both rows where both sides added items to the same place of a list, ours first. */
export const keepBoth: Resolve = ({ kind, base }) =>
  kind === 'items' && base === '[]' ? { take: 'both' } : undefined
