import type { SignedPlace } from '../../../src/api/signed-place.ts'
import { proofHeaders } from '../../../src/client/proof/signed-headers.ts'
import { loadDeployment } from '../deployment.ts'
import type { ConnectedWallet } from './connected-wallet.ts'
import { textSigner } from './sign-text.ts'

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
  const place = { host: location.host, chainId, registry }
  return proofHeaders(textSigner(wallet), { place, now: Date.now() }, textOf)
}
