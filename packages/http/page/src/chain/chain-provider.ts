import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import type { Provider } from '../wallet/provider.ts'
import { hasRpc, rpcProvider } from '../wallet/rpc-provider.ts'

/** Returns the provider for chain reads: the server's chain if it has one, otherwise the wallet. */
export const chainProvider = (wallet: Pick<ConnectedWallet, 'provider'> | undefined): Provider =>
  hasRpc.value || wallet === undefined ? rpcProvider : wallet.provider
