import { BaseError, ContractFunctionRevertedError } from 'viem'

/** Why a contract refused, by name and with its facts. */
export type Refusal = { readonly name: string; readonly facts: readonly unknown[] }

/** Returns why an attempt was refused; an attempt that succeeds is a failure. */
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
