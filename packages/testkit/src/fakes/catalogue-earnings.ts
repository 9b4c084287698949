import type { Account, Earnings, HistoryEntry, TokenId } from '@heirloom/core'
import { wei } from '@heirloom/core'

/** Returns the earnings of an account from all events; the chain in memory never holds a credit. */
export function earningsOf(history: readonly HistoryEntry[], account: Account): Earnings {
  const earned = { sales: 0n, rentals: 0n, forks: 0n, royalties: 0n }
  const owners = new Map<TokenId, Account>()
  for (const event of history) {
    if (event.kind === 'transfer') owners.set(event.tokenId, event.to)
    const earning = earningOf(event, owners)
    if (earning === undefined || earning.by !== account) continue
    earned[earning.kind] +=
      earning.kind === 'royalties' ? earning.amount : afterRoyalties(history, event, earning)
  }
  return {
    sales: wei(earned.sales),
    rentals: wei(earned.rentals),
    forks: wei(earned.forks),
    royalties: wei(earned.royalties),
    credit: wei(0n),
  }
}

type Earning = {
  readonly kind: 'sales' | 'rentals' | 'forks' | 'royalties'
  readonly by: Account | undefined
  readonly amount: bigint
}

function earningOf(
  event: HistoryEntry,
  owners: ReadonlyMap<TokenId, Account>,
): Earning | undefined {
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

/** Returns the price less its royalties; a block in memory has one payment with its royalties. */
function afterRoyalties(
  history: readonly HistoryEntry[],
  event: HistoryEntry,
  { amount }: Earning,
): bigint {
  return history
    .filter(({ block }) => block === event.block)
    .reduce((rest, other) => (other.kind === 'royalty' ? rest - other.amount : rest), amount)
}
