import { causes } from '../../platform/error-words.ts'
import { isUnanswered } from '../../platform/http-transport.ts'
import { CommitUncertain, LeaseLost } from '../../store/store.ts'
import type { LaneContext } from './lane-context.ts'

type Observer = Pick<LaneContext, 'observe'>

/** Returns whether the state in memory is invalid after an error; the next leader reads the store. */
const endsLead = (error: unknown): boolean =>
  error instanceof LeaseLost || error instanceof CommitUncertain

/** Returns whether a node gave no answer to a call, so that it would not answer the next one either. */
export const isOutage = (error: unknown): boolean => [...causes(error)].some(isUnanswered)

/**
 * Returns the result of an act, or `otherwise` once its error is reported. Throws what `isThrown` names,
 * and what ends the work of the leader.
 */
export async function reportErrors<T>(
  { observe }: Observer,
  act: () => Promise<T>,
  otherwise: T,
  isThrown: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (endsLead(error) || isThrown(error)) throw error
    observe({ kind: 'trouble', error })
    return otherwise
  }
}

/**
 * Does an act on each of several transactions, and returns whether one of the acts returned true. The
 * error of one is reported and keeps none of the others, except that a silent node is not asked again.
 */
export async function doEach<T>(
  context: Observer,
  transactions: readonly T[],
  act: (transaction: T) => Promise<boolean>,
): Promise<boolean> {
  let hasMoved = false
  for (const one of transactions) {
    hasMoved = (await reportErrors(context, () => act(one), false, isOutage)) || hasMoved
  }
  return hasMoved
}
