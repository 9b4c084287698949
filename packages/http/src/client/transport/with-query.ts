type Value = string | number | bigint | readonly string[] | undefined

/** Returns a path with those of the values that say something; the words of a list have commas between them. */
export function withQuery(path: string, values: Readonly<Record<string, Value>> = {}): string {
  const told = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(
    told.map(([name, value]): [string, string] => [name, String(value)]),
  )
  return query.size === 0 ? path : `${path}?${query}`
}
