import type { Provider } from '@heirloom/http/wallet'
import { type Hex, numberToHex, type TypedDataDefinition } from 'viem'
import type { WalletCall, WalletChain } from './wallet-chain.ts'

/** A wallet that is a contract. Others send its calls; its owners sign in its name (ERC-1271). */
export type SmartWallet = {
  readonly address: Hex
  readonly signMessage: (input: {
    readonly message: string | { readonly raw: Hex }
  }) => Promise<Hex>
  readonly signTypedData: (typedData: TypedDataDefinition) => Promise<Hex>
  /** Makes a call as the wallet, and returns the hash of the mined transaction. */
  readonly send: (call: WalletCall) => Promise<Hex>
  /** Deploys the wallet, where it can act before it is deployed. */
  readonly deploy?: () => Promise<void>
}

/** Returns what a smart wallet offers to a program (EIP-1193), as its app does through WalletConnect. */
export function providerOf({ client }: WalletChain, wallet: SmartWallet): Provider {
  const own: Readonly<Record<string, (params: readonly never[]) => Promise<unknown>>> = {
    eth_requestAccounts: async () => [wallet.address],
    personal_sign: async ([raw]) => wallet.signMessage({ message: { raw: raw ?? '0x' } }),
    eth_sendTransaction: async ([transaction]) => {
      const { to, data, value } = transaction as unknown as Readonly<
        Record<'to' | 'data' | 'value', Hex>
      >
      return wallet.send({ to, data, value: BigInt(value) })
    },
    eth_chainId: async () => numberToHex(await client.getChainId()),
  }
  return {
    request: ({ method, params = [] }) =>
      own[method]?.(params as readonly never[]) ??
      client.request({ method, params } as unknown as Parameters<typeof client.request>[0]),
  }
}
