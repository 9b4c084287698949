import type { Account, Earnings, HistoryEntry, TokenId } from '@heirloom/core'
import { wei } from '@heirloom/core'

/** Returns what an account has earned by all that happened; nothing waits in memory. */
export function earningsOf(history: readonly HistoryEntry[], account: Account): Earnings {
  const earned = { sales: 0n, rentals: 0n, forks: 0n, royalties: 0n }
  const owners = new Map<TokenId, Account>()
  for (const event of history) {
    if (event.kind === 'transfer') owners.set(event.tokenId, event.to)
    const what = incomeOf(event, owners)
    if (what === undefined || what.by !== account) continue
    earned[what.kind] += what.kind === 'royalties' ? what.amount : restOf(history, event, what)
  }
  return {
    sales: wei(earned.sales),
    rentals: wei(earned.rentals),
    forks: wei(earned.forks),
    royalties: wei(earned.royalties),
    credit: wei(0n),
  }
}

type Income = {
  readonly kind: 'sales' | 'rentals' | 'forks' | 'royalties'
  readonly by: Account | undefined
  readonly amount: bigint
}

function incomeOf(event: HistoryEntry, owners: ReadonlyMap<TokenId, Account>): Income | undefined {
  switch (event.kind) {
    case 'sale':
      return { kind: 'sales', by: event.seller, amount: event.price }
    case 'rental':
      return { kind: 'rentals', by: event.owner, amount: event.paid }
    case 'fork':
      return { kind: 'forks', by: owners.get(event.tokenId), amount: event.price }
    case 'royalty':
      return { kind: 'royalties', by: event.to, amount: event.amount }
    default:
      return undefined
  }
}

/** What royalties leave of a price; a block in memory holds one payment with its royalties. */
function restOf(history: readonly HistoryEntry[], event: HistoryEntry, { amount }: Income): bigint {
  return history
    .filter(({ block }) => block === event.block)
    .reduce((rest, other) => (other.kind === 'royalty' ? rest - other.amount : rest), amount)
}
