/** The royalties of a fork: the share that it adds, and the total. */
export type OwedByFork = { readonly effectiveRoyaltyBps: number; readonly totalRoyaltyBps: number }

/** Describes the royalties that a fork would owe, in a sentence. */
export function describeOwedRoyalties(owed: OwedByFork): string {
  const { effectiveRoyaltyBps: own, totalRoyaltyBps: all } = owed
  if (all === 0) return 'You owe no royalties on its later earnings.'
  const total = `${formatBps(all)} of everything it earns later goes to`
  if (own === 0) return `${total} the creators before this one.`
  if (own === all) return `${total} the creator of this one.`
  return `${total} earlier creators: ${formatBps(own)} to the creator of this one, ${formatBps(all - own)} to those before.`
}

/** The largest number of royalties that a memory owes. */
export const mostRoyalties = 8

/** Describes why a fork adds less than the share that a listing sets; `undefined` where it adds all. */
export function describeCap(
  terms: OwedByFork & { readonly forkRoyaltyBps: number },
): string | undefined {
  const { forkRoyaltyBps: listed, effectiveRoyaltyBps: own, totalRoyaltyBps: all } = terms
  if (listed === own) return undefined
  const limit =
    all === 10_000
      ? 'all royalties of a memory are at most 100 % of its price'
      : `a memory owes at most ${mostRoyalties} royalties, and this one owes ${mostRoyalties}`
  return `The listing sets a royalty of ${formatBps(listed)}, but ${limit}, so a fork adds ${formatBps(own)}.`
}

/** Formats basis points as a percentage: 250 is `2.5 %`. */
export const formatBps = (bps: number): string => `${bps / 100} %`
