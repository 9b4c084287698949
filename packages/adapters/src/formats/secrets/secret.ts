/** A stretch of a text; `end` is exclusive. */
export type Stretch = readonly [start: number, end: number]

/** A secret in a text: its decoded text, and the stretches it consists of. */
export type Secret = {
  readonly kind: string
  readonly text: string
  readonly parts: readonly Stretch[]
}

/** A text that looks like a secret, and where it is. */
export type SecretFinding = {
  /** The kind of secret, such as `a GitHub token`. */
  readonly kind: string
  /** The JSON Pointer (RFC 6901) to the value that holds it; absent for other texts. */
  readonly where?: string
  /** The line, counted from 1, in the string at `where`, or else in the whole text. */
  readonly line: number
  /** The first characters, followed by `…`. */
  readonly excerpt: string
}
