import type {
  Account,
  Dollars,
  Earning,
  Earnings,
  EarningsIn,
  HistoryEntry,
  Instant,
  MarketFigures,
  Wei,
} from '@heirloom/core'
import { type Currency, dollars, type TokenId, wei } from '@heirloom/core'

/** Returns the earnings of an account from all events; the chain in memory never holds a credit. */
export function earningsOf(history: readonly HistoryEntry[], account: Account): Earnings {
  const earnedIn = { native: noEarnings(), dollar: noEarnings() }
  for (const { currency, kind, amount } of eachEarningOf(history, account)) {
    earnedIn[currency][kind] += amount
  }
  return { ...inUnit(earnedIn.native, wei), dollars: inUnit(earnedIn.dollar, dollars) }
}

/** Returns how many rentals began since a time, and what all accounts earned. */
export function figuresOf(history: readonly HistoryEntry[], since: Instant): MarketFigures {
  const paid = { native: 0n, dollar: 0n }
  for (const { currency, amount } of eachEarningOf(history)) paid[currency] += amount
  const isRental = ({ kind, at }: HistoryEntry) =>
    (kind === 'rental' || kind === 'dollar-rental') && at >= since
  return {
    rentals: history.filter(isRental).length,
    paid: { native: wei(paid.native), dollar: dollars(paid.dollar) },
  }
}

/** An earning, and the place of its event. */
export type PlacedEarning = Earning & Pick<HistoryEntry, 'block' | 'logIndex'>

/** Returns each earning of an account, or of all, from all events, oldest first. */
export function eachEarningOf(
  history: readonly HistoryEntry[],
  account?: Account,
): readonly PlacedEarning[] {
  const owners = new Map<TokenId, Account>()
  return history.flatMap((event) => {
    if (event.kind === 'transfer') owners.set(event.tokenId, event.to)
    const gain = gainOf(event, owners)
    const isSought = gain !== undefined && (account === undefined || gain.by === account)
    return isSought ? placed(history, event, gain) : []
  })
}

/** Returns the earning of a gain; none where royalties take all of it. */
function placed(
  history: readonly HistoryEntry[],
  event: HistoryEntry,
  gain: Gain,
): readonly PlacedEarning[] {
  const { kind, currency } = gain
  const amount = kind === 'royalties' ? gain.amount : afterRoyalties(history, event, gain)
  const { id, tokenId, txHash, at, block, logIndex } = event
  const earning = { kind, currency, amount, event: id, tokenId, txHash, at, block, logIndex }
  return amount === 0n ? [] : [earning]
}

const noEarnings = () => ({ sales: 0n, rentals: 0n, forks: 0n, royalties: 0n })

function inUnit<Amount extends Wei | Dollars>(
  earned: ReturnType<typeof noEarnings>,
  unit: (amount: bigint) => Amount,
): EarningsIn<Amount> {
  return {
    sales: unit(earned.sales),
    rentals: unit(earned.rentals),
    forks: unit(earned.forks),
    royalties: unit(earned.royalties),
    credit: unit(0n),
  }
}

type Gain = {
  readonly kind: 'sales' | 'rentals' | 'forks' | 'royalties'
  readonly currency: Currency
  readonly by: Account | undefined
  readonly amount: bigint
}

function gainOf(event: HistoryEntry, owners: ReadonlyMap<TokenId, Account>): Gain | undefined {
  const currency = event.kind.startsWith('dollar-') ? 'dollar' : 'native'
  switch (event.kind) {
    case 'sale':
    case 'dollar-sale':
      return { kind: 'sales', currency, by: event.seller, amount: event.price }
    case 'rental':
    case 'dollar-rental':
      return { kind: 'rentals', currency, by: event.owner, amount: event.paid }
    case 'fork':
    case 'dollar-fork':
      return { kind: 'forks', currency, by: owners.get(event.tokenId), amount: event.price }
    case 'royalty':
    case 'dollar-royalty':
      return { kind: 'royalties', currency, by: event.to, amount: event.amount }
    default:
      return undefined
  }
}

/** Returns the price less its royalties; a block in memory has one payment with its royalties. */
function afterRoyalties(
  history: readonly HistoryEntry[],
  event: HistoryEntry,
  { amount }: Gain,
): bigint {
  return history
    .filter(({ block }) => block === event.block)
    .reduce((rest, other) => rest - (isRoyalty(other) ? other.amount : 0n), amount)
}

const isRoyalty = (event: HistoryEntry) =>
  event.kind === 'royalty' || event.kind === 'dollar-royalty'
