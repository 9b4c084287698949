import type { Catalogue, Happened } from '../ports/catalogue.ts'

/** How far a listener was told of what happens. */
export type Heard = {
  /** The last event; absent for none. */
  readonly event: string | undefined
  /** The block from which it was told, since that event, that nothing stands any more. */
  readonly undone: bigint | undefined
}

/** Returns an id that names no event, but the place of all those from a block on. */
export const placeOf = (block: bigint): string => `${block}-0-00000000`

/**
 * Returns what a listener is to be told next. What was undone is told once, and what stands again
 * after that is told again.
 *
 * @throws `catalogue/unavailable`
 */
export async function news(
  { happened }: Pick<Catalogue, 'happened'>,
  { event, undone }: Heard,
  limit: number,
): Promise<Happened> {
  const { entries, undoneFrom } = await happened(event, limit)
  if (undone === undefined) return { entries, undoneFrom }
  // The listener has forgotten its last event, which stands again, and all from that block on.
  const told = undoneFrom === undefined ? await happened(placeOf(undone), limit) : undefined
  const { entries: later, undoneFrom: from } = told ?? { entries, undoneFrom }
  return { entries: later, undoneFrom: from === undone ? undefined : from }
}
