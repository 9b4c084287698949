import { eraseText } from '../../../src/api/erase-text.ts'
import type { Erased } from '../../../src/client/responses.ts'
import { addressOf } from '../api/address-of.ts'
import { refreshAll } from '../api/changes.ts'
import { fetchOk } from '../api/get-json.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { signedHeaders } from '../wallet/signed-headers.ts'

/**
 * Erases the memory of a token for the wallet that owns it, which signs the request.
 *
 * @throws {Problem} when the wallet or the server refuses
 */
export async function eraseMemory(tokenId: string, wallet: ConnectedWallet): Promise<Erased> {
  const { account } = wallet
  const headers = await signedHeaders(wallet, (place, timestamp) =>
    eraseText(place, { tokenId, account, timestamp }),
  )
  const response = await fetchOk(addressOf('erase', { tokenId }), { method: 'POST', headers })
  // The chain has not changed, so no event says that the views are old.
  refreshAll()
  return (await response.json()) as Erased
}
