import type { Hex, PublicClient } from 'viem'
import { gasOfCheck, gasWithData } from '../../platform/gas-with-data.ts'
import type { ContractPair, DeployedPair } from '../contract-pair.ts'
import { findForeignCode } from '../deployment/own-code.ts'
import { callNode } from '../node-call.ts'
import { gasLimitOf, gasOfOrder, gasOfSigned } from './gas-limit.ts'

/** A call that a wallet would send, and the job that it is for. */
type Job = {
  readonly operation: string
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
}

type Parts = {
  readonly client: PublicClient
  readonly contracts: ContractPair & Partial<DeployedPair>
  readonly gasOfCode?: bigint | undefined
  /** The address of the wallet. */
  readonly from: Hex
}

/**
 * Returns the gas limit of a job that may run foreign code on a chain in this process, where no such job
 * is estimated; `undefined` for any other job. What the relay has not tried out is tried out now, once,
 * as the wallet will send it.
 *
 * An account without code may get some later, so the caller sends before anything else is mined.
 *
 * @throws the failure that a revert names, `ledger/unavailable`
 */
export async function knownGasOf(parts: Parts, job: Job): Promise<bigint | undefined> {
  const limit = gasLimitOf(job)
  const gas = await foreignGasOf(parts, job)
  if (gas === undefined) return undefined
  if (limit === undefined) await tryOnce(parts, { ...job, gas })
  return limit === undefined || gas < limit ? gas : limit
}

/**
 * Returns the most gas of a call that may run foreign code; `undefined` where it runs own code alone.
 *
 * @throws `ledger/unavailable`
 */
export async function foreignGasOf(
  { client, contracts, gasOfCode }: Omit<Parts, 'from'>,
  call: Pick<Job, 'to' | 'data'>,
): Promise<bigint | undefined> {
  const found = findForeignCode(contracts, call)
  const { gas, of: accounts = [] } = (await found?.read?.(client)) ?? found ?? {}
  const check = found?.isSigned ? gasOfCheck(gasOfCode) : 0n
  if (gas === undefined) return undefined
  const read = () => Promise.all(accounts.map((it) => client.getCode({ address: it as Hex })))
  const codes = await callNode('eth_getCode', read)
  return codes.every((code) => code === undefined) ? undefined : gasWithData(gas + check, call.data)
}

/** Returns the most gas of a transaction that carries out what a contract signed. */
export function gasOfSignedCall(
  { operation, data }: { readonly operation: 'relay' | 'payOrder'; readonly data: Hex },
  { isLocal, gasOfCode }: { readonly isLocal: boolean; readonly gasOfCode?: bigint | undefined },
): bigint {
  const limit = gasLimitOf({ operation, data }) ?? gasOfOrder
  const act = gasOfSigned[operation === 'relay' ? 'forward' : operation]
  const local = gasWithData(act + gasOfCheck(gasOfCode), data)
  return isLocal && local < limit ? local : limit
}

async function tryOnce(
  { client, from }: Parts,
  { to, data, value, gas }: Job & { readonly gas: bigint },
): Promise<void> {
  const request = { account: from, to, data, value, gas, blockTag: 'pending' } as const
  await callNode('eth_call', () => client.call(request), data)
}
