import type { Account } from '@heirloom/core'
import { encodeFunctionData, type Hex, type TypedDataDomain } from 'viem'
import { forwarderDomain } from '../contract-pair.ts'
import { forwarderAbi } from '../contracts.generated.ts'

/** A call that an account signed for the forwarder (ERC-2771), as OpenZeppelin's forwarder takes it. */
export type ForwardRequest = {
  readonly from: Account
  readonly to: Account
  /** In wei. */
  readonly value: bigint
  /** The gas of the call. */
  readonly gas: bigint
  /** The last second in which it may be carried out, since 1970. */
  readonly deadline: number
  readonly data: Hex
  readonly signature: Hex
}

/** The members of a forward request that are signed; the nonce is the account's at the forwarder. */
export const forwardRequestTypes = {
  ForwardRequest: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'gas', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint48' },
    { name: 'data', type: 'bytes' },
  ],
} as const

/** Returns the EIP-712 domain of a forwarder. */
export const domainOfForwarder = (chainId: number, forwarder: Hex): TypedDataDomain => ({
  ...forwarderDomain,
  chainId,
  verifyingContract: forwarder,
})

/** Returns the call data with which a forwarder carries out a request. */
export const encodeExecute = (request: ForwardRequest): Hex =>
  encodeFunctionData({ abi: forwarderAbi, functionName: 'execute', args: [request] })
