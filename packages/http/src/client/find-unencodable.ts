/** The most levels that are looked at. */
const deepest = 500

/**
 * Returns what in a value has no JSON form, and where it is, such as `data.score is a bigint`;
 * `undefined` where nothing is found.
 */
export function findUnencodable(
  value: unknown,
  path = '',
  above: readonly object[] = [],
): string | undefined {
  if (typeof value === 'bigint') return `${path} is a bigint`
  // An object with `toJSON` chooses its own form.
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return undefined
  if (above.includes(value)) return `${path} contains itself`
  if (above.length > deepest) return undefined
  return firstOf(
    Object.entries(value).map(([name, member]) => () => {
      const place = path === '' ? name : `${path}.${name}`
      return findUnencodable(member, place, [...above, value])
    }),
  )
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const found = look()
    if (found !== undefined) return found
  }
  return undefined
}
