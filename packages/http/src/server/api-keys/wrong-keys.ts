import { Failure } from '@heirloom/core'

export declare namespace wrongKeys {
  type Options = {
    /** How many wrong keys of a network are simply refused. */
    readonly free?: number
    /** The longest wait that is asked for, in seconds. */
    readonly longest?: number
    /** After how long a network is forgotten that sent none, in milliseconds. */
    readonly forgetAfter?: number
    /** How many networks are known at a time. */
    readonly most?: number
    /** Milliseconds, of a clock that never goes back. */
    readonly now?: () => number
  }
}

type Tries = { readonly count: number; readonly at: number }

/**
 * Returns what refuses a wrong key of a network: the first few as what they are, and each further
 * one with a longer wait. A right key of the same network is never looked at here, so nobody who
 * shares an address with a guesser is shut out.
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
    // Set anew at the end, so that the first is the one that was quiet longest.
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
