import { encodeTypedData } from '@heirloom/adapters/internal/wallet'
import type { Hex, TypedDataDefinition } from 'viem'
import type { ConnectedWallet } from './connected-wallet.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

type TypedDataSigner = {
  readonly address: Hex
  readonly signTypedData: (data: TypedDataDefinition) => Promise<Hex>
}

/** Returns a wallet as what signs typed data (EIP-712), and throws a `Problem` when it refuses. */
export const typedDataSigner = ({ account, provider }: ConnectedWallet): TypedDataSigner => ({
  address: account,
  signTypedData: async (data) => {
    const params = [account, encodeTypedData(data)]
    try {
      return (await provider.request({ method: 'eth_signTypedData_v4', params })) as Hex
    } catch (error) {
      throw toWalletProblem(error)
    }
  },
})
