import { gasOfCheck, gasWithData } from '../platform/gas-with-data.ts'
import type { Evm } from './evm.ts'
import type { Execution, ForeignCode, ForeignCodeOf } from './public-rpc/bounded-call.ts'

/** Bounds the gas of executions that may run the code of strangers. */
export type GasBounds = {
  /**
   * Returns the highest gas limit of an execution; `undefined` for one that runs only own code now.
   * Without an execution, any code may run.
   */
  most(execution: Execution | undefined): Promise<bigint | undefined>
  /** Returns whether the bound of an execution depends on the state. */
  dependsOnState(execution: Execution | undefined): boolean
}

export declare namespace gasBounds {
  type Parts = {
    readonly evm: Pick<Evm, 'request'>
    readonly foreignCodeOf: ForeignCodeOf
    /** The gas that an execution of any code may use, beside what its data costs. */
    readonly gas: bigint
  }
}

/** Returns the bounds of executions in an EVM. */
export function gasBounds({ evm, foreignCodeOf, gas }: gasBounds.Parts): GasBounds {
  const foreignIn = (execution: Execution | undefined): ForeignCode | undefined =>
    execution === undefined ? {} : foreignCodeOf(execution)
  const hasCode = async (account: string) => {
    const params = [account, 'latest']
    return (await evm.request({ method: 'eth_getCode', params })) !== '0x'
  }
  const runs = async ({ of: accounts }: ForeignCode, isOld = false): Promise<boolean> =>
    isOld || accounts === undefined || (await Promise.all(accounts.map(hasCode))).includes(true)
  const read = async (execution: Execution | undefined): Promise<ForeignCode | undefined> => {
    const found = foreignIn(execution)
    return execution?.isOld ? found : ((await found?.read?.(evm)) ?? found)
  }
  const gasOf = (known: ForeignCode): bigint =>
    (known.gas ?? 0n) + (known.isSigned ? gasOfCheck(gas) : 0n)
  return {
    most: async (execution) => {
      const foreign = await read(execution)
      if (foreign === undefined || !(await runs(foreign, execution?.isOld))) return undefined
      const known = gasOf(foreign)
      const most = known > gas ? known : gas
      return gasWithData(most, execution?.data ?? '0x')
    },
    dependsOnState: (execution) => {
      const { of, read } = foreignIn(execution) ?? {}
      return of !== undefined || read !== undefined
    },
  }
}
