import type { Hash } from './hash.ts'

/**
 * What the maker of a memory chose to show of it to everybody. It is public for ever, unlike the
 * memory itself, of which nothing is shown.
 */
export type Card = {
  /** One line, 1 to 120 characters. */
  readonly title: string
  /** Several lines, at most 2000 characters. */
  readonly description?: string
  /** At most 12, each one line of 1 to 32 characters. */
  readonly tags?: readonly string[]
  /** One line, 1 to 32 characters. */
  readonly category?: string
  /** A sample of the memory, several lines, at most 4000 characters. */
  readonly preview?: string
}

/** A card and the memory it speaks of, as the card's own block holds them. */
export type CardOf = { readonly card: Card; readonly contentHash: Hash }
