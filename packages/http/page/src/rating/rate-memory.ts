import { createRate } from '../../../src/client/rate.ts'
import { refreshAll } from '../api/changes.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { requestSigner } from '../wallet/request-signer.ts'
import { countAgain } from './rating-summary.tsx'

/** The judgement of a visitor. */
export type Opinion = { readonly score: number; readonly comment: string }

/**
 * Rates a token for a wallet that paid for it, which signs the rating.
 *
 * @throws {Problem} when the wallet or the server refuses
 */
export async function rateMemory(
  tokenId: string,
  opinion: Opinion,
  wallet: ConnectedWallet,
): Promise<void> {
  await createRate(requestSigner(wallet))({ tokenId, ...opinion })
  countAgain(tokenId)
  // The chain has not changed, so no event says that the views are old.
  refreshAll()
}
