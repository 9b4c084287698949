import { eraseText } from '../../../src/api/erase-text.ts'
import type { Erased } from '../../../src/client/responses.ts'
import { refreshAll } from '../api/changes.ts'
import { fetchOk } from '../api/get-json.ts'
import { loadDeployment } from '../deployment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { signText } from '../wallet/sign-text.ts'

/**
 * Erases the memory of a token for the wallet that owns it, which signs the request.
 *
 * @throws {Problem} when the wallet or the server refuses
 */
export async function eraseMemory(tokenId: string, wallet: ConnectedWallet): Promise<Erased> {
  const { account } = wallet
  const { chainId, registry } = await loadDeployment()
  const timestamp = Math.floor(Date.now() / 1000)
  const place = { host: location.host, chainId, registry }
  const text = eraseText(place, { tokenId, account, timestamp })
  const headers = {
    'x-wallet-address': account,
    'x-timestamp': `${timestamp}`,
    'x-signature': await signText(wallet, text),
  }
  const response = await fetchOk(`/api/memory/${tokenId}/erase`, { method: 'POST', headers })
  // The chain has not changed, so no event says that the views are old.
  refreshAll()
  return (await response.json()) as Erased
}
