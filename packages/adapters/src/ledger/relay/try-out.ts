import { Failure, isFailure } from '@heirloom/core'
import { concat, type Hex, type PublicClient, RpcRequestError } from 'viem'
import { causes } from '../../platform/error-words.ts'
import { gasWithData } from '../../platform/gas-with-data.ts'
import type { DeployedPair } from '../contract-pair.ts'
import { callNode, failureIn, isRefusal } from '../node-call.ts'
import { smaller } from '../nonce-lane/fees/replacement-price.ts'
import { errorNameOf } from '../revert.ts'
import { intrinsicGas } from '../signatures/contract-signature-check.ts'
import { withGasMargin } from '../transaction.ts'
import { codeOfCalls } from './deploy-then-call.ts'
import { encodeExecute, type ForwardRequest } from './forward-request.ts'
import { gasLimitFor } from './gas-limit.ts'
import { accountFactory } from './passkey-account.ts'
import { gasOfDeployment } from './require-room.ts'

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

/** The deployment that comes before a call, and the gas limit of the call behind it. */
export type Opening = { readonly after: Hex; readonly gas: bigint }

/**
 * Requires that an account signed a request for its current nonce, and that the call would succeed, as
 * the wallet will send it. Sends nothing; foreign code has little gas.
 *
 * @throws `relay/not-signed`, `relay/failed`, the failure that a contract names, `ledger/unavailable`
 */
export async function tryOut(
  parts: Parts,
  request: ForwardRequest,
  opening?: Opening,
): Promise<void> {
  const { agent, contracts } = parts
  const { from, gas } = request
  const execute = encodeExecute(request)
  const call = { to: contracts.forwarder, data: execute, gas: gasLimitFor(gas, execute) }
  await simulate(nodeFor(parts), { from: agent, ...call, ...opening }).catch(async (failure) => {
    if (!isFailure(failure, 'relay/failed')) throw failure
    // The forwarder does not tell why a call fails.
    await tryOutCall(parts, request)
    // A signer that burns the gas did not sign.
    throw ranOut(failure) ? new Failure('relay/not-signed', { account: from }) : failure
  })
}

/**
 * Requires that the call of a request would succeed, as the forwarder makes it, with any signature.
 *
 * @throws `relay/failed`, the failure that a contract names, `ledger/unavailable`
 */
export async function tryOutCall(
  { contracts: { forwarder }, ...node }: Pick<Parts, 'client' | 'contracts' | 'isLocal'>,
  { from, to, gas, data }: ForwardRequest,
): Promise<void> {
  // The signer stands at the end of the data (ERC-2771).
  const called = { from: forwarder, to, data: concat([data, from]) }
  await simulate(nodeFor(node), {
    ...called,
    gas: gasWithData(gas + gasOfTransaction, called.data),
  })
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

/** The gas of a transaction before what its data and its call take. */
const gasOfTransaction = 21_000n

/** A call to try out. */
export type Simulated = {
  readonly from?: Hex
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
  /** The call of the factory that deploys an account before it. */
  readonly after?: Hex
}

/** The most gas of the factory's call. */
const gasOfFactory = 250_000n

/** The gas that a call has more where the account was deployed just before: what is in use costs less. */
const gasOfWarmth = 15_000n

/** Returns a call that deploys an account, and then makes the call as a transaction of its own would. */
function behind(after: Hex, { from, to, data, gas }: Simulated) {
  const inner = gas - gasWithData(gasOfTransaction + gasOfWarmth, data)
  const deployment = { to: accountFactory.address, data: after, gas: gasOfFactory }
  const code = codeOfCalls([deployment, { to, data, gas: inner }])
  return { from, data: code, gas: intrinsicGas(code) + 2n * gasOfFactory + (inner * 64n) / 63n }
}

/**
 * Returns the most gas that an act is sent with behind the deployment of its account, which no node
 * estimates on a chain in this process.
 *
 * @throws `ledger/unavailable`
 */
export async function gasOfAct(
  { client, isLocal, agent }: Pick<Parts, 'client' | 'isLocal' | 'agent'>,
  call: Pick<Simulated, 'to' | 'data'>,
  { after, gas: most }: Opening,
): Promise<bigint> {
  if (isLocal) return most
  const { data } = behind(after, { ...call, gas: most })
  const request = { account: agent, data, prepare: false } as const
  const estimate = await callNode('eth_estimateGas', () => client.estimateGas(request))
  return smaller(most, withGasMargin(estimate - gasOfDeployment))
}

/**
 * Makes a call that changes nothing, and returns what it returns.
 *
 * @throws the failure that a contract names, `relay/failed`, `ledger/unavailable`
 */
export async function simulate({ client, block }: Node, simulated: Simulated): Promise<Hex> {
  const { after, ...plain } = simulated
  const { gas, ...call } = after === undefined ? plain : behind(after, plain)
  const params = [{ ...call, gas: `0x${gas.toString(16)}` as const }, block] as const
  try {
    return await client.request({ method: 'eth_call', params: [...params] })
  } catch (cause) {
    throw simulationFailure(cause, simulated.data)
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
