/** How long what is not here is left alone, at first and at most, in milliseconds. */
const [firstPause, longestPause] = [1000, 600_000]

/** Returns how often something was looked for in vain, and when to look again, in milliseconds since 1970. */
export function nextLook(
  looks: number,
  now: number,
): { readonly looks: number; readonly lookAt: number } {
  const pause = Math.min(longestPause, firstPause * 2 ** Math.min(looks, 20))
  return { looks: looks + 1, lookAt: now + pause }
}
