import type { Hex } from 'viem'
import { forwarderAbi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import {
  domainOfForwarder,
  forwardRequestTypes,
} from '../../../../adapters/src/ledger/relay/forward-request.ts'
import { chainProvider } from '../chain/chain-provider.ts'
import { readView } from '../chain/read-view.ts'
import { loadDeployment } from '../deployment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { signTypedData } from '../wallet/sign-typed-data.ts'
import { deadlineFromNow, type SignedAct } from './signed-act.ts'

/** A call of a contract, without native money. */
export type Call = { readonly to: Hex; readonly data: Hex; readonly gas: bigint }

/**
 * Lets a wallet sign a call for the forwarder of the contracts (ERC-2771), with the next nonce of the
 * account: calls that are tried again have the same one, so one of them is carried out at most.
 *
 * @throws {Problem} when the wallet or its user refuses
 */
export async function signCall(
  wallet: ConnectedWallet,
  { to, data, gas }: Call,
): Promise<SignedAct> {
  const { chainId, forwarder } = await loadDeployment()
  const { account: from } = wallet
  const next = { address: forwarder, abi: forwarderAbi, functionName: 'nonces', args: [from] }
  const nonce = await readView<bigint>(chainProvider(wallet), next)
  const deadline = deadlineFromNow()
  const signature = await signTypedData(wallet, {
    domain: domainOfForwarder(chainId, forwarder),
    types: forwardRequestTypes,
    primaryType: 'ForwardRequest',
    message: { from, to, value: 0n, gas, nonce, deadline, data },
  })
  const request = { from, to, value: '0', gas: `${gas}`, deadline, data, signature }
  return { body: { request }, deadline, proof: { kind: 'call', signer: from, nonce: `${nonce}` } }
}
