import type { JobStore } from '@heirloom/adapters/store'
import type { Digest, Ledger } from '@heirloom/core'

/** Returns the ledger, which tells of each bundle that got its token, and of its card. */
export function claiming(ledger: Ledger, claim: (digest: Digest) => void): Ledger {
  return {
    ...ledger,
    mint: async (token) => {
      const minted = await ledger.mint(token)
      claim(minted.digest)
      // Under a key that was used, the token is of another bundle, and shows that one's card.
      if (token.card !== undefined && minted.digest === token.digest) claim(token.card)
      return minted
    },
  }
}

/** Returns whether a job may still give a bundle its token, or show a card, or has. */
export function wantedBy({ db }: JobStore): (digest: Digest) => Promise<boolean> {
  return async (digest) => {
    const job = await db
      .selectFrom('job')
      .select('id')
      .where('data', 'like', `0x%${digest.slice(2)}%`)
      .where('state', '!=', 'failed')
      .executeTakeFirst()
    return job !== undefined
  }
}
