import { isSame, shortAccount } from './account.ts'
import { shortEther } from './ether.ts'

/** Who receives what of a price. */
export type PriceSplit = {
  readonly price: string
  readonly royalties: readonly {
    readonly to: string
    readonly amount: string
    readonly tokenId: string
  }[]
  readonly rest: string
}

/** A payee and why it is paid. */
export type Share = {
  readonly to: string
  readonly amount: bigint
  readonly percent: string
  readonly reason: string
}

/** Returns the shares of a price, the seller's first; those of nothing are left out. */
export function sharesOf(split: PriceSplit, seller: string): readonly Share[] {
  const price = BigInt(split.price)
  const share = (to: string, amount: string, reason: string): Share => ({
    to,
    amount: BigInt(amount),
    percent: percentOf(BigInt(amount), price),
    reason,
  })
  return [
    share(seller, split.rest, 'the owner'),
    ...split.royalties.map(({ to, amount, tokenId }) =>
      share(to, amount, `the maker of No. ${tokenId}`),
    ),
  ].filter(({ amount }) => amount > 0n)
}

/** Returns a split as a sentence: who keeps what of the price, and who else is paid. */
export function splitSentence(split: PriceSplit, seller: string, you?: string): string {
  const shares = sharesOf(split, seller)
  const price = shortEther(BigInt(split.price))
  const [only] = shares
  if (only === undefined) return 'Nothing is paid.'
  if (shares.length === 1) return `All of ${price} goes to ${nameOf(only, you)}.`
  const words = shares.map((it, nth) => {
    const verb = nth === 0 ? 'goes to' : 'to'
    return `${shortEther(it.amount)} (${it.percent}) ${verb} ${nameOf(it, you)}`
  })
  return `Of ${price}, ${words.slice(0, -1).join('; ')}; and ${words.at(-1)}.`
}

function nameOf({ to, reason }: Share, you: string | undefined): string {
  return isSame(to, you) ? `you, ${reason}` : `${reason}, ${shortAccount(to)}`
}

/** Returns a share of a whole with two decimals at most: `12.5 %`. */
export function percentOf(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0 %'
  const hundredths = (part * 10_000n + whole / 2n) / whole
  if (hundredths === 0n && part > 0n) return 'under 0.01 %'
  return `${Number(hundredths) / 100} %`
}

/** The royalties of a fork: the share that its fork adds, and all of them. */
export type OwedByFork = {
  readonly effectiveRoyaltyBps: number
  readonly totalRoyaltyBps: number
}

/** Returns what a fork would owe of its prices, as a sentence. */
export function owedWords({ effectiveRoyaltyBps: own, totalRoyaltyBps: all }: OwedByFork): string {
  if (all === 0) return 'Nothing is owed for what you later earn with it.'
  const total = `${percentOfBps(all)} of what it later earns goes to those before you`
  if (own === all) return `${total}.`
  return `${total}: ${percentOfBps(own)} to the maker of this one, the rest to earlier makers.`
}

/** Returns basis points as a percentage: 250 is `2.5 %`. */
export function percentOfBps(bps: number): string {
  return `${bps / 100} %`
}
