import { mostPacks } from '../envelope.ts'
import type { Place } from './list-node.ts'
import type { PackFacts } from './list-root.ts'

/** The number of packs that one version may add without a limit on its others. */
const freePacks = 4

/** A version may name packs of 1.25 times what it uses of them, and this many bytes more. */
const idleBytes = 524_288
const idleShare = 0.25

/** A pack, and the number of its bytes that the last version uses. */
type Used = PackFacts & { readonly live: number }

/**
 * Returns the packs of the last version that the next one may go on using. The others are dissolved:
 * what is still needed of them is written again, so that a version never has more than 32 packs, nor
 * many bytes that it does not use.
 */
export function retainedPacks(
  packs: readonly PackFacts[],
  places: readonly Place[],
): ReadonlySet<number> {
  const live = new Map<number, number>()
  for (const { tag, stored } of places) live.set(tag, (live.get(tag) ?? 0) + stored)
  const used = packs.map((facts) => ({ ...facts, live: live.get(facts.tag) ?? 0 }))
  const full = withoutIdle(used)
  const retained = full.length > mostPacks - freePacks ? withoutSmallest(full) : full
  return new Set(retained.map(({ tag }) => tag))
}

/** Leaves out the packs with the least share in use, while too many bytes are idle. */
function withoutIdle(packs: readonly Used[]): readonly Used[] {
  const byShare = packs.toSorted((one, other) => one.live / one.length - other.live / other.length)
  const sum = (them: readonly Used[], of: 'live' | 'length') =>
    them.reduce((total, pack) => total + pack[of], 0)
  let start = 0
  const isIdle = (rest: readonly Used[]) =>
    sum(rest, 'length') > (1 + idleShare) * sum(rest, 'live') + idleBytes
  while (start < byShare.length && isIdle(byShare.slice(start))) start++
  return byShare.slice(start)
}

/**
 * Leaves out the smallest packs: at least two, and each further one that is no larger than those
 * before it together, so that bytes are written again only when their pack has doubled.
 */
function withoutSmallest(packs: readonly Used[]): readonly Used[] {
  const bySize = packs.toSorted((one, other) => one.live - other.live)
  const isNeeded = (count: number) => bySize.length - count > mostPacks - freePacks
  let sum = 0
  let count = 0
  for (const { live } of bySize) {
    if (count >= 2 && live > sum && !isNeeded(count)) break
    sum += live
    count++
  }
  return bySize.slice(count)
}
