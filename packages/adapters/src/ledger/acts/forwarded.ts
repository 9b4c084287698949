import { account, type Hex } from '@heirloom/core'
import {
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  getAbiItem,
  getAddress,
  type Log,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import type { DeployedPair } from '../contract-pair.ts'
import { forwarderAbi as abi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'
import {
  domainOfForwarder,
  type ForwardRequest,
  forwardRequestTypes,
} from '../relay/forward-request.ts'
import { withGasMargin } from '../transaction.ts'
import { readNumber } from '../view.ts'
import type { ActCall } from './encode-act.ts'

/** A call that an account signed for the forwarder, and what finds it on the chain. */
export type ForwardedCall = {
  readonly request: ForwardRequest
  readonly nonce: bigint
  /** The height of the chain when it was signed. */
  readonly since: bigint
}

type Pair = Pick<DeployedPair, 'forwarder'>

/**
 * Returns the next nonce of an account at the forwarder.
 *
 * @throws `ledger/unavailable`
 */
export async function nonceAtForwarder(
  client: Pick<PublicClient, 'request'>,
  { forwarder: address }: Pair,
  of: Hex,
): Promise<bigint> {
  return readNumber(client, { address, abi, name: 'nonces' }, [of])
}

/**
 * Simulates a call as the forwarder makes it in the name of an account, and returns the gas that it
 * needs.
 *
 * @throws the failure that a contract names, `ledger/unavailable`
 */
export async function simulateForwarded(
  client: PublicClient,
  { forwarder }: Pair,
  { from, call }: { readonly from: Hex; readonly call: ActCall },
): Promise<bigint> {
  // The signer stands at the end of the data (ERC-2771).
  const data = concat([call.data, from])
  const simulated = { account: forwarder, to: call.to, data }
  return withGasMargin(await callNode(call.operation, () => client.estimateGas(simulated), data))
}

/** Returns what an account signs to have a call forwarded (EIP-712). */
export const requestToSign = (
  chainId: number,
  { forwarder }: Pair,
  message: Omit<ForwardRequest, 'signature'> & { readonly nonce: bigint },
) =>
  ({
    domain: domainOfForwarder(chainId, forwarder),
    types: forwardRequestTypes,
    primaryType: 'ForwardRequest',
    message,
  }) as const

/**
 * The fate of a call that was signed: the receipt of the transaction that carried it out, with the
 * events of this call alone; `superseded` when another call of the account took its nonce, so that it
 * can never be carried out; `unclear` when the nonce was used in a transaction that does not show for
 * what; `undefined` while the nonce is free.
 */
export type Fate = TransactionReceipt | 'superseded' | 'unclear' | undefined

/**
 * Returns the fate of a call.
 *
 * @throws `ledger/unavailable`
 */
export async function findForwarded(
  client: PublicClient,
  pair: Pair,
  call: ForwardedCall,
): Promise<Fate> {
  const { request, nonce, since: fromBlock } = call
  if ((await nonceAtForwarder(client, pair, request.from)) <= nonce) return undefined
  return callNode('eth_getLogs', async () => {
    const filter = { event: executed, args: { signer: request.from }, fromBlock } as const
    const logs = await client.getLogs({ address: pair.forwarder, ...filter })
    const found = logs.find(({ args }) => args.nonce === nonce)
    if (found === undefined) return 'unclear'
    const receipt = await client.getTransactionReceipt({ hash: found.transactionHash })
    return fateIn(client, pair, { call, receipt })
  })
}

/** A call that was signed, and the transaction that may have carried it out. */
type FoundCall = {
  readonly call: Pick<ForwardedCall, 'request' | 'nonce'>
  readonly receipt: TransactionReceipt
}

/**
 * Returns the fate of a call in a transaction; `undefined` if its nonce was not used there.
 *
 * @throws `ledger/unavailable`
 */
export async function fateIn(
  client: Pick<PublicClient, 'getTransaction'>,
  pair: Pair,
  { call, receipt }: FoundCall,
): Promise<Fate> {
  const { request, nonce } = call
  const own = receipt.logs.filter((it: Log) => getAddress(it.address) === pair.forwarder)
  const report = parseEventLogs({ abi, eventName: 'ExecutedForwardRequest', logs: own }).find(
    ({ args }) => args.nonce === nonce && getAddress(args.signer) === getAddress(request.from),
  )
  if (report === undefined) return undefined
  const { transactionHash: hash } = receipt
  const { to, input } = await callNode('eth_getTransactionByHash', () =>
    client.getTransaction({ hash }),
  )
  if (to === null || getAddress(to) !== pair.forwarder) return 'unclear'
  const isOurs = requestsIn(input).some((it) => encodeRequest(it) === encodeRequest(request))
  if (!isOurs || !report.args.success) return 'superseded'
  const before = own.filter(({ logIndex }) => logIndex < report.logIndex).at(-1)?.logIndex ?? -1
  const isOfCall = ({ logIndex }: Log) =>
    logIndex !== null && logIndex > before && logIndex < report.logIndex
  return { ...receipt, logs: receipt.logs.filter(isOfCall) }
}

const executed = getAbiItem({ abi, name: 'ExecutedForwardRequest' })

/** Returns the requests that call data of the forwarder carries out. */
function requestsIn(input: Hex): readonly ForwardRequest[] {
  const { functionName, args } = decodeFunctionData({ abi, data: input })
  const requests =
    functionName === 'execute' ? [args[0]] : functionName === 'executeBatch' ? args[0] : []
  return requests.map((it) => ({ ...it, from: account(it.from), to: account(it.to) }))
}

const { components } = getAbiItem({ abi, name: 'execute' }).inputs[0]

/** Encodes what a request does; the sender may unwrap its signature (ERC-6492). */
const encodeRequest = (request: ForwardRequest): Hex =>
  encodeAbiParameters([{ type: 'tuple', components }], [{ ...request, signature: '0x' }])
