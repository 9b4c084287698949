import { rateText } from '../../../src/api/rate-text.ts'
import { addressOf } from '../api/address-of.ts'
import { refreshAll } from '../api/changes.ts'
import { fetchOk } from '../api/get-json.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { signedHeaders } from '../wallet/signed-headers.ts'
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
  const { account } = wallet
  const headers = await signedHeaders(wallet, (place, timestamp) =>
    rateText(place, { tokenId, account, timestamp, ...opinion }),
  )
  await fetchOk(addressOf('rate', { tokenId }), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(opinion),
  })
  countAgain(tokenId)
  // The chain has not changed, so no event says that the views are old.
  refreshAll()
}
