type Value = string | number | bigint | readonly string[] | undefined

/** The values of a query. */
export type Query = Readonly<Record<string, Value>>

/** Appends the non-empty values to a path as its query; the words of a list are joined by commas. */
export function withQuery(path: string, values: Query = {}): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(
    present.map(([name, value]): [string, string] => [name, String(value)]),
  )
  return query.size === 0 ? path : `${path}?${query}`
}
