import { account } from '@heirloom/core'
import { hashTypedData, type PublicClient } from 'viem'
import {
  type ActCall,
  type DeployedPair,
  nonceAtForwarder,
  requestToSign,
} from '../ledger/acts/index.ts'
import type { Signer } from './sender.ts'
import { encodeRequest, type SignedAct } from './signed-act.ts'

/** A call of a contract, its gas, and the last second in which it may be carried out, since 1970. */
type Priced = {
  readonly call: Pick<ActCall, 'to' | 'data'>
  readonly gas: bigint
  readonly deadline: number
}

type Forwarder = {
  readonly chainId: number
  readonly pair: Pick<DeployedPair, 'forwarder'>
  readonly client: Pick<PublicClient, 'request'>
}

/**
 * Lets an account sign a call for the forwarder (ERC-2771), with its next nonce there: calls that are
 * tried again have the same one, so one of them is carried out at most.
 *
 * @throws `ledger/unavailable`
 */
export async function signRequest(
  signer: Pick<Signer, 'address' | 'signTypedData'>,
  { call, gas, deadline }: Priced,
  { client, pair, chainId }: Forwarder,
): Promise<Omit<SignedAct, 'since'>> {
  const from = account(signer.address)
  const nonce = await nonceAtForwarder(client, pair, from)
  const request = { from, to: account(call.to), value: 0n, gas, deadline, data: call.data }
  const typed = requestToSign(chainId, pair, { ...request, nonce })
  const signature = await signer.signTypedData(typed)
  const body = encodeRequest({ ...request, signature })
  return { hash: hashTypedData(typed), body, nonce: `${nonce}`, deadline }
}
