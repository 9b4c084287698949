import { type Dollar, ether, type NativeCurrency } from '@heirloom/adapters/contracts'
import type { Account, Registry } from '@heirloom/core'
import type { PublicChain } from '../../config/read-chain.ts'
import type { ApiKey, KeylessAct } from '../api-keys/key-ring.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import type { Handler } from './serve-operation.ts'

/** The contracts and the agent wallet, so that a client can check everything on the chain. */
export type Deployment = {
  readonly chainId: number
  readonly registry: Account
  readonly marketplace: Account
  readonly forwarder: Account
  readonly depositCode: Account
  /** The dollar that the pair is bound to; absent for none. */
  readonly dollar?: Dollar | undefined
  /** The native currency of the chain; ether where absent. */
  readonly nativeCurrency?: NativeCurrency | undefined
  readonly publicChain?: Partial<PublicChain> | undefined
  /** Whether `/rpc` of this server is the public address of the chain, where no other is. */
  readonly hasOwnRpc?: boolean | undefined
  readonly agent: Account
}

export declare namespace deploymentHandler {
  type Parts = {
    /** The registries whose tokens were carried over to this one. */
    readonly earlier: readonly Registry[]
    readonly deployment: Deployment
    /** Returns the wallet that acts for an API key. */
    readonly agentFor: (caller: ApiKey | undefined) => Account
    readonly gate: AcceptedProofs
    /** The acts that need no API key. */
    readonly keyless: readonly KeylessAct[]
    /** Whether the chain has names of ENS. */
    readonly hasEns: boolean
    /** Whether `POST /api/faucet` gives test dollars. */
    readonly hasFaucet: boolean
  }
}

/** Returns the handler of the deployment. */
export const deploymentHandler =
  (parts: deploymentHandler.Parts): Handler<'deployment'> =>
  async (request) => {
    const { deployment, earlier, agentFor, gate, keyless, ...given } = parts
    const origin = gate.originOf(request)
    const own = origin === undefined ? {} : { origin, domain: new URL(origin).host }
    // A creator's proof names this server, which must therefore know its origin.
    const openActs = keyless.filter((act) => act !== 'seal' || origin !== undefined)
    const proofs = [...gate.kinds]
    const agent = agentFor(request.caller)
    const encoded = encodeDeployment({ ...deployment, agent }, origin)
    const earlierRegistries = earlier.map((it) => ({ chainId: it.chainId, registry: it.address }))
    return { ...encoded, earlierRegistries, proofs, ...own, openActs, ...given }
  }

function encodeDeployment(deployment: Deployment, origin: string | undefined) {
  const { dollar = null, publicChain = {}, hasOwnRpc, ...rest } = deployment
  const { nativeCurrency: coin = ether, ...contracts } = rest
  const { name: chainName = null, explorerUrl = null, nativePrice = null } = publicChain
  const ownRpc = hasOwnRpc && origin !== undefined ? `${origin}/rpc` : null
  const nativeCurrency = { ...coin, decimals: 18 }
  const rpcUrl = publicChain.rpcUrl ?? ownRpc
  return { ...contracts, dollar, chainName, nativeCurrency, nativePrice, rpcUrl, explorerUrl }
}
