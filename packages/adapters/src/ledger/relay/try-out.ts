import { Failure, isFailure } from '@heirloom/core'
import {
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type PublicClient,
  RpcRequestError,
} from 'viem'
import { causes } from '../causes.ts'
import type { DeployedPair } from '../contract-pair.ts'
import { forwarderAbi } from '../contracts.generated.ts'
import { failureIn, isRefusal } from '../node-call.ts'
import { errorNameOf } from '../revert.ts'
import type { ForwardRequest } from './forward-request.ts'
import { gasLimitFor } from './gas-limit.ts'

type Parts = {
  readonly client: PublicClient
  readonly contracts: DeployedPair
  /**
   * Whether the chain is in this process. It mines a block only for a transaction, so the time of its
   * newest block may be long ago.
   */
  readonly isLocal: boolean
}

/**
 * Requires that an account signed a request for its current nonce, and that the call would succeed.
 * Sends nothing; foreign code has little gas.
 *
 * @throws `relay/not-signed`, `relay/failed`, the failure that a contract names, `ledger/unavailable`
 */
export async function tryOut(
  { client, contracts: { forwarder }, isLocal }: Parts,
  request: ForwardRequest,
): Promise<void> {
  const { from, to, gas, data } = request
  const node = nodeFor({ client, isLocal })
  if (!(await isSigned(node, forwarder, request))) {
    throw new Failure('relay/not-signed', { account: from })
  }
  // As the forwarder calls it: with the signer at the end of the data.
  const forwarded = concat([data, from])
  await simulate(node, { from: forwarder, to, data: forwarded, gas: gas + gasLimitFor(0n, data) })
}

/** A node, and the block whose state and time a call has. */
export type Node = { readonly client: PublicClient; readonly block: 'latest' | 'pending' }

/** Returns the node that tells how the next block would end a call. */
export const nodeFor = ({ client, isLocal }: Pick<Parts, 'client' | 'isLocal'>): Node => ({
  client,
  block: isLocal ? 'pending' : 'latest',
})

async function isSigned(node: Node, forwarder: Hex, request: ForwardRequest): Promise<boolean> {
  const abi = forwarderAbi
  const call = encodeFunctionData({ abi, functionName: 'verify', args: [request] })
  const gas = gasLimitFor(0n, call)
  const data = await simulate(node, { to: forwarder, data: call, gas }).catch((error) => {
    // A signer that fails, or burns its gas, did not sign.
    if (isFailure(error, 'ledger/unavailable')) throw error
    return undefined
  })
  return data !== undefined && decodeFunctionResult({ abi, functionName: 'verify', data })
}

/** A call to try out. */
export type Simulated = {
  readonly from?: Hex
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
}

/**
 * Makes a call that changes nothing, and returns what it returns.
 *
 * @throws the failure that a contract names, `relay/failed`, `ledger/unavailable`
 */
export async function simulate({ client, block }: Node, { gas, ...call }: Simulated): Promise<Hex> {
  const params = [{ ...call, gas: `0x${gas.toString(16)}` as const }, block] as const
  try {
    return await client.request({ method: 'eth_call', params: [...params] })
  } catch (cause) {
    throw simulationFailure(cause, call.data)
  }
}

/** The code of an error that says that a call reverts. */
const revertCode = 3

const isAnswer = (cause: object): boolean =>
  cause instanceof RpcRequestError || ('code' in cause && cause.code === revertCode)

function simulationFailure(cause: unknown, data: Hex): Failure {
  const known = failureIn(cause, data)
  if (known !== undefined) return known
  const isAnswered = isRefusal(cause) || [...causes(cause)].some((it) => isAnswer(it))
  if (!isAnswered) return new Failure('ledger/unavailable', { operation: 'eth_call' }, { cause })
  return new Failure('relay/failed', { reason: errorNameOf(cause) ?? 'it reverts' }, { cause })
}
