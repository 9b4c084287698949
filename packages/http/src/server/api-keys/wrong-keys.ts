import { Failure } from '@heirloom/core'

export declare namespace wrongKeys {
  type Options = {
    /** The wrong keys of a network that are refused without a wait. */
    readonly free?: number
    /** The longest wait, in seconds. */
    readonly longest?: number
    /** The time after which the wrong keys of a network are forgotten, in milliseconds. */
    readonly forgetAfter?: number
    /** The largest number of networks that are counted. */
    readonly most?: number
    /** The current milliseconds of a monotonic clock. */
    readonly now?: () => number
  }
}

type Tries = { readonly count: number; readonly at: number }

/**
 * Returns a function that refuses a wrong key of a network: the first few as not authorized, and
 * each further one with a longer wait. A right key never gets here, so a client that shares its
 * address with a guesser is not locked out.
 *
 * @throws `request/not-authorized`, `request/too-many`
 */
export function wrongKeys({
  free = 10,
  longest = 60,
  forgetAfter = 900_000,
  most = 10_000,
  now = () => performance.now(),
}: wrongKeys.Options = {}): (network: string) => never {
  const tries = new Map<string, Tries>()
  const countOf = (network: string, at: number) => {
    const known = tries.get(network)
    const count = known === undefined || at - known.at > forgetAfter ? 1 : known.count + 1
    // Inserted again at the end, so that the first entry is the oldest.
    tries.delete(network)
    if (tries.size >= most) tries.delete(tries.keys().next().value ?? '')
    tries.set(network, { count, at })
    return count
  }
  return (network) => {
    const count = countOf(network, now())
    if (count <= free) throw new Failure('request/not-authorized', { scheme: 'Bearer' })
    const retryAfterSeconds = Math.min(longest, 2 ** Math.min(count - free - 1, 30))
    throw new Failure('request/too-many', {
      what: 'wrong API keys',
      limit: free,
      retryAfterSeconds,
    })
  }
}
