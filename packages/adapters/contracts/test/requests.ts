import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { domainOfForwarder, forwardRequestTypes } from '../../src/ledger/relay/forward-request.ts'
import type { ContractHarness } from './contract-harness.ts'

/** A signed request as the forwarder takes it. */
export type ForwardRequest = {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly gas: bigint
  readonly deadline: number
  readonly data: Hex
  readonly signature: Hex
}

/** Fields of a request, or of its domain, in place of the usual ones. */
export type RequestChanges = Partial<ForwardRequest> & {
  readonly nonce?: bigint
  readonly chainId?: number
  readonly forwarder?: Address
}

/** Returns a function that signs requests to the forwarder of a harness. */
export function requestsOn({ client, forwarder }: ContractHarness) {
  return async (
    signer: PrivateKeyAccount,
    to: Address,
    data: Hex,
    { nonce, chainId = client.chain.id, forwarder: named, ...changes }: RequestChanges = {},
  ): Promise<ForwardRequest> => {
    const request = {
      from: signer.address,
      to,
      value: 0n,
      gas: 1_000_000n,
      deadline: 2 ** 40,
      data,
      ...changes,
    }
    const message = { ...request, nonce: nonce ?? (await forwarder.read.nonces([request.from])) }
    const signature = await signer.signTypedData({
      domain: domainOfForwarder(chainId, named ?? forwarder.address),
      types: forwardRequestTypes,
      primaryType: 'ForwardRequest',
      message,
    })
    return { ...request, signature: changes.signature ?? signature }
  }
}
