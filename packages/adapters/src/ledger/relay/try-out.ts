import { Failure, isFailure } from '@heirloom/core'
import { concat, type Hex, type PublicClient, RpcRequestError } from 'viem'
import { causes } from '../../platform/error-words.ts'
import type { DeployedPair } from '../contract-pair.ts'
import { failureIn, isRefusal } from '../node-call.ts'
import { errorNameOf } from '../revert.ts'
import { encodeExecute, type ForwardRequest } from './forward-request.ts'
import { gasLimitFor } from './gas-limit.ts'

type Parts = {
  readonly client: PublicClient
  readonly contracts: DeployedPair
  /** The wallet that will send the call. */
  readonly agent: Hex
  /**
   * Whether the chain is in this process. It mines a block only for a transaction, so the time of its
   * newest block may be long ago.
   */
  readonly isLocal: boolean
}

/**
 * Requires that an account signed a request for its current nonce, and that the call would succeed, as
 * the wallet will send it. Sends nothing; foreign code has little gas.
 *
 * @throws `relay/not-signed`, `relay/failed`, the failure that a contract names, `ledger/unavailable`
 */
export async function tryOut(parts: Parts, request: ForwardRequest): Promise<void> {
  const { agent, contracts } = parts
  const { from, gas } = request
  const execute = encodeExecute(request)
  const call = { to: contracts.forwarder, data: execute, gas: gasLimitFor(gas, execute) }
  await simulate(nodeFor(parts), { from: agent, ...call }).catch(async (failure) => {
    if (!isFailure(failure, 'relay/failed')) throw failure
    // The forwarder does not tell why a call fails.
    await tryOutCall(parts, request)
    // A signer that burns the gas did not sign.
    throw ranOut(failure) ? new Failure('relay/not-signed', { account: from }) : failure
  })
}

/**
 * Requires that the call of a request would succeed, as the forwarder makes it, whoever signed it.
 *
 * @throws `relay/failed`, the failure that a contract names, `ledger/unavailable`
 */
export async function tryOutCall(
  { contracts: { forwarder }, ...node }: Pick<Parts, 'client' | 'contracts' | 'isLocal'>,
  { from, to, gas, data }: ForwardRequest,
): Promise<void> {
  // The signer stands at the end of the data (ERC-2771).
  const called = { from: forwarder, to, data: concat([data, from]) }
  await simulate(nodeFor(node), { ...called, gas: gas + gasLimitFor(0n, data) })
}

const ranOut = (error: unknown): boolean =>
  [...causes(error)].some((it) => /out of gas/i.test(String((it as Error).message)))

/** A node, and the block whose state and time a call has. */
export type Node = { readonly client: PublicClient; readonly block: 'latest' | 'pending' }

/** Returns the node that tells how the next block would end a call. */
export const nodeFor = ({ client, isLocal }: Pick<Parts, 'client' | 'isLocal'>): Node => ({
  client,
  block: isLocal ? 'pending' : 'latest',
})

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
  const reason = ranOut(cause) ? 'it takes more gas than it may' : 'it reverts'
  return new Failure('relay/failed', { reason: errorNameOf(cause) ?? reason }, { cause })
}
