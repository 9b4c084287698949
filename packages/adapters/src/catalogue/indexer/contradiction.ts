/** Blocks whose events are in doubt, and the reason, as one sentence. */
export type Doubt = { readonly from: number; readonly to: number; readonly reason: string }

/**
 * Thrown when answers of the chain contradict each other or what is known of it, as they also do when
 * it was reorganised in between. They are then useless, and are asked for again.
 */
export class Contradiction extends Error {
  override readonly name = 'Contradiction'
  readonly doubt: Doubt
  /** The first block that may have been read wrongly before; absent if none was. */
  readonly since: number | undefined
  constructor(doubt: Doubt, since?: number) {
    super(doubt.reason)
    this.doubt = doubt
    this.since = since
  }
}

/** Returns a contradiction about one block. */
export const contradictionAt = (block: number, reason: string): Contradiction =>
  new Contradiction({ from: block, to: block, reason })
