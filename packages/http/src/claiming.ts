import type { Store } from '@heirloom/adapters/store'
import type { Digest, Ledger } from '@heirloom/core'

/** Returns the ledger, which tells of each bundle that got its token. */
export function claiming(ledger: Ledger, claim: (digest: Digest) => void): Ledger {
  return {
    ...ledger,
    mint: async (token) => {
      const minted = await ledger.mint(token)
      claim(minted.digest)
      return minted
    },
  }
}

/** Returns whether a job may still give a bundle its token, or has. */
export function wantedBy({ db }: Store): (digest: Digest) => Promise<boolean> {
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
