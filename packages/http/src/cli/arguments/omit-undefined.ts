/** Returns an object without the members that are undefined. */
export function defined<T extends object>(
  members: T,
): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> }
}
