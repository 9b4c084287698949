import { createErase } from '../../../src/client/erase.ts'
import type { Erased } from '../../../src/client/responses.ts'
import { refreshAll } from '../api/changes.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { requestSigner } from '../wallet/request-signer.ts'

/**
 * Erases the memory of a token for the wallet that owns it, which signs the request.
 *
 * @throws {Problem} when the wallet or the server refuses
 */
export async function eraseMemory(tokenId: string, wallet: ConnectedWallet): Promise<Erased> {
  const erased = await createErase(requestSigner(wallet))(tokenId)
  // The chain has not changed, so no event says that the views are old.
  refreshAll()
  return erased
}
