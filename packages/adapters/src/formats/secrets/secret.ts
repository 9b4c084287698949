/** A stretch of a text; `end` is exclusive. */
export type Stretch = readonly [start: number, end: number]

/** A secret in a text: its decoded text, and the stretches it consists of. */
export type Secret = {
  readonly kind: string
  readonly text: string
  readonly parts: readonly Stretch[]
}
