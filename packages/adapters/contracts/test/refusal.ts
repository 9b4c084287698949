import { BaseError, ContractFunctionRevertedError } from 'viem'

/** The custom error of a revert, with its arguments. */
export type Refusal = { readonly name: string; readonly facts: readonly unknown[] }

/** Returns the custom error of a reverted call; throws when the call succeeds. */
export async function refusalOf(attempt: Promise<unknown>): Promise<Refusal> {
  const error = await attempt.then(
    () => new Error('The attempt was not refused.'),
    (reason: unknown) => reason,
  )
  const reverted =
    error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError)
  if (!(reverted instanceof ContractFunctionRevertedError) || !reverted.data) throw error
  return { name: reverted.data.errorName, facts: reverted.data.args ?? [] }
}

/** Returns the custom errors of calls that all run already and all revert. */
export const refusalsOf = (attempts: readonly Promise<unknown>[]): Promise<readonly Refusal[]> =>
  Promise.all(attempts.map(refusalOf))
