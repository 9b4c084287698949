import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { Problem } from '../api/problem.ts'
import type { Provider } from '../wallet/provider.ts'

/** A call of a view of a contract. */
export type View = {
  readonly address: Hex
  readonly abi: Abi
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** Reads a view of a contract in the newest block. */
export async function readView<T>(provider: Provider, { address, ...view }: View): Promise<T> {
  const call = { to: address, data: encodeFunctionData(view) }
  const data = (await provider.request({ method: 'eth_call', params: [call, 'latest'] })) as Hex
  return decodeFunctionResult({ ...view, data }) as T
}

/** Reads a view that a contract may not have; `undefined` if the call fails. */
export async function readOptionalView<T>(provider: Provider, view: View): Promise<T | undefined> {
  try {
    return await readView<T>(provider, view)
  } catch (error) {
    // A server that does not answer says nothing about the contract.
    if (error instanceof Problem) throw error
    return undefined
  }
}
