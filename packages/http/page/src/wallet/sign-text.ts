import type { Account } from '../../../src/client/proof/access-proof.ts'
import { hexOf } from '../../../src/client/proof/content-hash.ts'
import type { ConnectedWallet } from './connected-wallet.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

/** Returns a wallet as what signs texts (EIP-191), and throws a `Problem` when it refuses. */
export const textSigner = ({ account, provider }: ConnectedWallet): Account => ({
  address: account,
  signMessage: async ({ message }) => {
    const params = [hexOf(new TextEncoder().encode(message)), account]
    try {
      return (await provider.request({ method: 'personal_sign', params })) as `0x${string}`
    } catch (error) {
      throw toWalletProblem(error)
    }
  },
})
