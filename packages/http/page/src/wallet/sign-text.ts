import { hexOf } from '../../../src/client/proof/content-hash.ts'
import type { ConnectedWallet } from './connected-wallet.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

/**
 * Lets a wallet sign a text (EIP-191).
 *
 * @throws {Problem} when the wallet or its user refuses
 */
export async function signText(
  { account, provider }: Pick<ConnectedWallet, 'account' | 'provider'>,
  text: string,
): Promise<`0x${string}`> {
  const params = [hexOf(new TextEncoder().encode(text)), account]
  try {
    return (await provider.request({ method: 'personal_sign', params })) as `0x${string}`
  } catch (error) {
    throw toWalletProblem(error)
  }
}
