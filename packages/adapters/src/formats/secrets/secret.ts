/** A stretch of a text, from a place to a place. */
export type Stretch = readonly [start: number, end: number]

/** Something secret in a text: what it reads, and where its parts stand. */
export type Secret = {
  readonly kind: string
  readonly text: string
  readonly parts: readonly Stretch[]
}
