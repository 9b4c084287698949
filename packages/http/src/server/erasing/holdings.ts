import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import type { Holdings, TokenId } from '@heirloom/core'
import { catchUp } from '../catch-up.ts'

export declare namespace holdingsOnChain {
  type Parts = {
    readonly catalogue: Pick<SqlCatalogue, 'caughtUp' | 'tokens' | 'rentals'>
    /** Returns the tokens after a token as the head of the chain has them. */
    readonly minted: (after: TokenId | undefined) => AsyncIterable<MintedToken>
  }
}

/** The longest wait for the catalogue, in milliseconds. */
const catchUpLimit = 10_000

/** The tokens of one page, and the most rentals that are read of a token. */
const pageLength = 100

/** Returns the tokens and the rentals of a chain, up to its head. */
export function holdingsOnChain({ catalogue, minted }: holdingsOnChain.Parts): Holdings {
  return {
    tokensOf: async ({ digest, contentHash }) => {
      await catchUp(catalogue, catchUpLimit)
      const found: TokenId[] = []
      const [newest] = (await catalogue.tokens({ limit: 1 })).items
      for (let after: string | undefined, isMore = true; isMore; ) {
        const page = await catalogue.tokens({ contentHash, limit: pageLength, after })
        // A copy opens nothing, and anyone can mint any number of them.
        const own = page.items.filter((it) => it.digest === digest && it.originality !== 'copied')
        found.push(...own.map(({ tokenId }) => tokenId))
        after = page.next
        isMore = after !== undefined
      }
      // The catalogue may wait for the confirmation of the last blocks.
      for await (const token of minted(newest?.tokenId)) {
        if (token.digest === digest) found.push(token.tokenId)
      }
      return found
    },
    rentalsOf: async (tokenId, after) => {
      await catchUp(catalogue, catchUpLimit)
      return catalogue.rentals(tokenId, after, pageLength)
    },
  }
}
