import type { SignedPlace } from '../../../src/api/signed-place.ts'
import { loadDeployment } from '../deployment.ts'
import type { ConnectedWallet } from './connected-wallet.ts'
import { signText } from './sign-text.ts'

/**
 * Returns the headers of a request to this server that a wallet signs.
 *
 * @throws {Problem} when the wallet or its user refuses
 */
export async function signedHeaders(
  wallet: ConnectedWallet,
  textOf: (place: SignedPlace, timestamp: number) => string,
): Promise<Record<string, string>> {
  const { chainId, registry } = await loadDeployment()
  const timestamp = Math.floor(Date.now() / 1000)
  const text = textOf({ host: location.host, chainId, registry }, timestamp)
  return {
    'x-wallet-address': wallet.account,
    'x-timestamp': `${timestamp}`,
    'x-signature': await signText(wallet, text),
  }
}
