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
