import type { FindingKind, Severity } from './finding-kinds.ts'

/** A stretch of a memory that could mislead or steer whoever reads it. */
export type Finding = {
  /** Describes what it is; match on it, not on the sentence. */
  readonly kind: FindingKind
  readonly severity: Severity
  /** One sentence that says what was found. */
  readonly sentence: string
  /**
   * The JSON Pointer (RFC 6901) of the value, or of the value whose name it is; of the nearest value
   * around it where that takes more than 2048 UTF-16 code units. `at` is always exact.
   */
  readonly pointer: string
  /** Describes where it is: in the value, or in the name of a member. */
  readonly in: 'value' | 'name'
  /** Describes where the JSON text of the string begins in the document, in UTF-16 code units. */
  readonly at: number
  /** Describes where it begins and ends in the decoded string, in UTF-16 code units. */
  readonly start: number
  readonly end: number
  /** Describes how it was decoded, the outermost first, where the string holds it in another encoding. */
  readonly via: readonly Encoding[]
  /** The text that was found, of at most 100 characters; nothing in it acts on a terminal. */
  readonly excerpt: string
}

/** An encoding in which a text is hidden within another. */
export type Encoding = 'json' | 'base64' | 'hex' | 'percent' | 'entities' | 'escapes' | 'invisible'

/** A stretch of one string: what it is, where, and what it says once it is decoded. */
export type Match = {
  readonly kind: FindingKind
  readonly start: number
  readonly end: number
  readonly via?: readonly Encoding[]
  readonly says?: string
}
