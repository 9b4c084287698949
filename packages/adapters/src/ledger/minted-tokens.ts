import { type Digest, digest, type TokenId, tokenId } from '@heirloom/core'
import { ask, type Chain, connect } from './connection.ts'
import { memoryRegistryAbi } from './contracts.generated.ts'
import type { ContractPair } from './contract-pair.ts'
import { viewOf } from './view.ts'

/** A token and the digest of the blob that it names. */
export type MintedToken = { readonly tokenId: TokenId; readonly digest: Digest }

/** How many tokens are asked for at once. */
const atOnce = 16

export declare namespace mintedTokens {
  type Input = {
    readonly chain: Chain | URL
    readonly contracts: Pick<ContractPair, 'registry'>
    /** The token to begin after; the first one when absent. */
    readonly after?: TokenId | undefined
  }
}

/**
 * Returns every token of a registry, in the order in which they were minted.
 *
 * @throws `ledger/unavailable`
 */
export async function* mintedTokens({
  chain,
  contracts: { registry: address },
  after,
}: mintedTokens.Input): AsyncGenerator<MintedToken> {
  const client = connect(chain)
  const view = (name: string) => viewOf(client, { address, abi: memoryRegistryAbi, name })
  const [totalSupply, recordOf] = [view('totalSupply'), view('recordOf')]
  const last = BigInt((await ask('totalSupply', () => totalSupply([])))(0))
  for (let id = (after ?? 0n) + 1n; id <= last; id += BigInt(atOnce)) {
    const rest = Number(last - id) + 1
    const ids = Array.from({ length: Math.min(atOnce, rest) }, (_, at) => id + BigInt(at))
    yield* await Promise.all(
      ids.map(async (it) => {
        const words = await ask('recordOf', () => recordOf([it]))
        return { tokenId: tokenId(it), digest: digest(words(5)) }
      }),
    )
  }
}
