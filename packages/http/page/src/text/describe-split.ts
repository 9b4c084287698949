import { isSameAccount, shortenAccount } from './account.ts'
import { formatAmount } from './amount.ts'
import type { Currency } from './currency.ts'
import { formatCsv } from './format-csv.ts'

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

/** A recipient of a part of a price, and why it is paid. */
export type Share = {
  readonly to: string
  readonly amount: bigint
  readonly percent: string
  /** The token whose creator is paid; absent for the seller. */
  readonly tokenId?: string
}

/** Lists the shares of a price, the seller's first; empty shares are omitted. */
export function listShares(split: PriceSplit, seller: string): readonly Share[] {
  const price = BigInt(split.price)
  return [{ to: seller, amount: split.rest }, ...split.royalties]
    .map((it) => ({ ...it, amount: BigInt(it.amount) }))
    .filter(({ amount }) => amount > 0n)
    .map((it) => ({ ...it, percent: formatShare(it.amount, price) }))
}

/** Describes why a share is paid. */
export const describeRole = ({ tokenId }: Pick<Share, 'tokenId'>): string =>
  tokenId === undefined ? 'owner' : `creator of No. ${tokenId}`

/** Those whom the only share of a price is described to, and when it is paid. */
export type ShareView = {
  /** Whether the price is about to be paid, is requested, or would be at a sale of what is not for sale. */
  readonly when: 'paid' | 'requested' | 'example'
  /** The name of the recipient, if it has one. */
  readonly name?: string | undefined
  /** The account of the reader, if it is known. */
  readonly you?: string | undefined
}

/** Describes the payment of a whole price to one recipient, in a sentence. */
export function describeOnlyShare(share: Share, view: ShareView): string {
  const { when, you, name = shortenAccount(share.to) } = view
  const isYours = isSameAccount(share.to, you)
  const who = isYours ? 'you' : `the ${describeRole(share)}, ${name},`
  const verb = { paid: 'receive', requested: 'receive', example: 'would receive' }[when]
  const words = `${who} ${verb}${isYours || when === 'example' ? '' : 's'} the whole price.`
  if (when === 'paid') return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  const isSeller = isYours && share.tokenId === undefined
  return `${conditions[when][isSeller ? 'you' : 'others']}, ${words}`
}

const conditions = {
  requested: { you: 'If you sell it', others: 'If it is sold' },
  example: { you: 'If you sold it', others: 'If it were sold' },
} as const

/** Returns shares as comma-separated values; with a currency, the exact amounts, too. */
export function splitCsv(
  shares: readonly Share[],
  currency: Pick<Currency, 'decimals' | 'symbol'> | undefined,
): string {
  const rows = shares.map((share) => {
    const { to, amount, percent, tokenId = '' } = share
    const row = [to, describeRole(share), tokenId, percent]
    return currency === undefined ? row : [...row, formatAmount(amount, currency), currency.symbol]
  })
  const columns = ['recipient', 'role', 'memory', 'share']
  return formatCsv([currency === undefined ? columns : [...columns, 'amount', 'currency'], ...rows])
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
  const total = `${formatBps(all)} of everything it earns later goes to`
  if (own === 0) return `${total} the creators before this one.`
  if (own === all) return `${total} the creator of this one.`
  return `${total} earlier creators: ${formatBps(own)} to the creator of this one, ${formatBps(all - own)} to those before.`
}

/** The largest number of royalties that a memory owes. */
export const mostRoyalties = 8

/** Describes why a fork adds less than the share that a listing sets; `undefined` where it adds all. */
export function describeCap({
  forkRoyaltyBps: listed,
  effectiveRoyaltyBps: own,
  totalRoyaltyBps: all,
}: OwedByFork & { readonly forkRoyaltyBps: number }): string | undefined {
  if (listed === own) return undefined
  const limit =
    all === 10_000
      ? 'all royalties of a memory are at most 100 % of its price'
      : `a memory owes at most ${mostRoyalties} royalties, and this one owes ${mostRoyalties}`
  return `The listing sets a royalty of ${formatBps(listed)}, but ${limit}, so a fork adds ${formatBps(own)}.`
}

/** Formats basis points as a percentage: 250 is `2.5 %`. */
export function formatBps(bps: number): string {
  return `${bps / 100} %`
}
