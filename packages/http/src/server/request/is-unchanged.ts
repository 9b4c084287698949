/**
 * Returns whether a client has what `etag` names, as its `if-none-match` says: a list of tags, which
 * are compared weakly, or `*` for anything (RFC 9110, 13.1.2).
 */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  const condition = ifNoneMatch?.trim() ?? ''
  if (condition === '*') return true
  const tags: readonly string[] = condition.match(/"[^"]*"/g) ?? []
  return tags.includes(etag.replace(/^W\//, ''))
}
