import { encodeFunctionData, type Hex, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { memoryRegistryAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'

type Parts = {
  readonly chain: { request(request: { method: string; params?: unknown }): Promise<unknown> }
  readonly wallet: PrivateKeyAccount
  readonly contracts: { readonly registry: Hex }
  /** The memory that each token names; one of its own that nobody stored when absent. */
  readonly memory?: Memory | undefined
}

/** The hashes of a stored memory. */
export type Memory = { readonly contentHash: Hex; readonly digest: Hex }

const gas = { mint: 200_000n, each: 90_000n }
const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0n }

/** Creates a signer of mints to the wallet itself, with consecutive nonces. */
export async function mintsOf({ chain, wallet, contracts, memory }: Parts) {
  const params = [wallet.address, 'latest']
  let nonce = Number(await chain.request({ method: 'eth_getTransactionCount', params }))
  const chainId = Number(await chain.request({ method: 'eth_chainId' }))
  const sign = (data: Hex, limit: bigint): Promise<Hex> => {
    const transaction = { chainId, nonce: nonce++, to: contracts.registry, data, ...fees }
    return wallet.signTransaction({ ...transaction, gas: limit, type: 'eip1559' })
  }
  const content = () => toHex(BigInt(nonce) + 1n, { size: 32 })
  return {
    /** Returns `count` signed transactions, each with one mint. */
    sign: async (count: number): Promise<readonly Hex[]> => {
      const signed: Hex[] = []
      for (let left = count; left > 0; left--) {
        const { contentHash, digest } = memory ?? { contentHash: content(), digest: content() }
        const args = [wallet.address, contentHash, digest, 0n] as const
        const data = encodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mint', args })
        signed.push(await sign(data, gas.mint))
      }
      return signed
    },
  }
}
