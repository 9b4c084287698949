import { deployment } from '../deployment.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { isChainClosed } from '../wallet/rpc-provider.ts'
import { isKeyRequired } from './access-key.ts'
import { decideMaking, type Maker, type Making } from './maker.ts'

/** Decides who makes a memory, with the connected wallet and what this server offers. */
export function useMaking(chosen: Maker): Making {
  const making = decideMaking(chosen, {
    deployment: deployment.value ?? {},
    hasWallet: connectedWallet.value !== undefined && !isChainClosed.value,
    origin: location.origin,
  })
  return isKeyRequired.value ? { ...making, needsKey: true } : making
}
