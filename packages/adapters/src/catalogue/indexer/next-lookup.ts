/** The first and the longest delay before something missing is looked up again, in milliseconds. */
const [firstDelay, longestDelay] = [1000, 600_000]

/** Returns the columns of a failed lookup: the attempts so far, and the time of the next one. */
export function nextLookup(
  looks: number,
  now: number,
): { readonly looks: number; readonly lookAt: number } {
  const delay = Math.min(longestDelay, firstDelay * 2 ** Math.min(looks, 20))
  return { looks: looks + 1, lookAt: now + delay }
}
