import { isSameAccount, shortenAccount } from './account.ts'
import { formatShortAmount } from './amount.ts'
import type { Currency } from './currency.ts'

/** The split of a price. */
export type PriceSplit = {
  readonly price: string
  readonly royalties: readonly {
    readonly to: string
    readonly amount: string
    readonly tokenId: string
  }[]
  readonly rest: string
}

/** A payee, its amount and the reason. */
export type Share = {
  readonly to: string
  readonly amount: bigint
  readonly percent: string
  readonly reason: string
}

/** Lists the shares of a price, the seller's first; empty shares are omitted. */
export function listShares(split: PriceSplit, seller: string): readonly Share[] {
  const price = BigInt(split.price)
  const share = (to: string, amount: string, reason: string): Share => ({
    to,
    amount: BigInt(amount),
    percent: formatShare(BigInt(amount), price),
    reason,
  })
  return [
    share(seller, split.rest, 'the owner'),
    ...split.royalties.map(({ to, amount, tokenId }) =>
      share(to, amount, `the creator of No. ${tokenId}`),
    ),
  ].filter(({ amount }) => amount > 0n)
}

/** Those whom a split is described to and for. */
export type SplitView = {
  /** The currency of the price. */
  readonly currency: Currency
  readonly seller: string
  /** The account of the reader, if it is known. */
  readonly you?: string | undefined
}

/** Describes a split in a sentence: the seller's part, and every royalty. */
export function describeSplit(split: PriceSplit, { currency, seller, you }: SplitView): string {
  const shares = listShares(split, seller)
  const price = formatShortAmount(BigInt(split.price), currency)
  const [only] = shares
  if (only === undefined) return 'Nothing is paid.'
  if (shares.length === 1) return `All of ${price} goes to ${nameOf(only, you)}.`
  const words = shares.map((it, nth) => {
    const verb = nth === 0 ? 'goes to' : 'to'
    return `${formatShortAmount(it.amount, currency)} (${it.percent}) ${verb} ${nameOf(it, you)}`
  })
  return `Of ${price}, ${words.slice(0, -1).join('; ')}; and ${words.at(-1)}.`
}

function nameOf({ to, reason }: Share, you: string | undefined): string {
  return isSameAccount(to, you) ? `you, ${reason}` : `${reason}, ${shortenAccount(to)}`
}

/** Formats a share of a whole with at most two decimals: `12.5 %`. */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0 %'
  const hundredths = (part * 10_000n + whole / 2n) / whole
  if (hundredths === 0n && part > 0n) return 'under 0.01 %'
  return `${Number(hundredths) / 100} %`
}

/** The royalties of a fork: the share that it adds, and the total. */
export type OwedByFork = {
  readonly effectiveRoyaltyBps: number
  readonly totalRoyaltyBps: number
}

/** Describes the royalties that a fork would owe, in a sentence. */
export function describeOwedRoyalties({
  effectiveRoyaltyBps: own,
  totalRoyaltyBps: all,
}: OwedByFork): string {
  if (all === 0) return 'You owe no royalties on its later earnings.'
  const total = `${formatBps(all)} of its later earnings goes to earlier creators`
  if (own === all) return `${total}.`
  return `${total}: ${formatBps(own)} to the creator of this one, the rest to the creators before.`
}

/** Formats basis points as a percentage: 250 is `2.5 %`. */
export function formatBps(bps: number): string {
  return `${bps / 100} %`
}
