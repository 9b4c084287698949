import { isFailure } from '@heirloom/core'
import { decodeFunctionData, type Hex, type PublicClient } from 'viem'
import { gasWithData } from '../../platform/gas-with-data.ts'
import type { ContractPair, DeployedPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import { findForeignCode } from '../deployment/own-code.ts'
import { callNode } from '../node-call.ts'
import { gasLimitOf } from './gas-limit.ts'

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
  { client, contracts }: Omit<Parts, 'from'>,
  call: Pick<Job, 'to' | 'data'>,
): Promise<bigint | undefined> {
  const { gas, of: named } = findForeignCode(contracts, call) ?? {}
  if (gas === undefined) return undefined
  const most = gasWithData(gas, call.data)
  const accounts = named ?? (await receiversOf({ client, contracts }, call.data))
  const read = () => Promise.all(accounts.map((it) => client.getCode({ address: it as Hex })))
  const codes = await callNode('eth_getCode', read)
  return codes.every((code) => code === undefined) ? undefined : most
}

/** Returns the accounts that a purchase pays; none where the token does not exist. */
async function receiversOf(
  { client, contracts }: Omit<Parts, 'from'>,
  data: Hex,
): Promise<readonly Hex[]> {
  const { args = [] } = decodeFunctionData({ abi: memoryMarketplaceAbi, data })
  const id = BigInt(String(args[0]))
  const market = { address: contracts.marketplace, abi: memoryMarketplaceAbi } as const
  const record = { address: contracts.registry, abi: memoryRegistryAbi, args: [id] } as const
  const read = () =>
    Promise.all([
      client.readContract({ ...market, functionName: 'royaltySplitOf', args: [id, 1n] }),
      client.readContract({ ...record, functionName: 'holdingOf' }),
      client.readContract({ ...record, functionName: 'creatorOf' }),
    ])
  try {
    const [[creators], [owner], creator] = await callNode('royaltySplitOf', read)
    return [...creators, owner, creator]
  } catch (error) {
    if (isFailure(error, 'token/not-found')) return []
    throw error
  }
}

async function tryOnce(
  { client, from }: Parts,
  { to, data, value, gas }: Job & { readonly gas: bigint },
): Promise<void> {
  const request = { account: from, to, data, value, gas, blockTag: 'pending' } as const
  await callNode('eth_call', () => client.call(request), data)
}
