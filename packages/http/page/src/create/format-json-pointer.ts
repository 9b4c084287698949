/** Formats a JSON pointer (RFC 6901) as a path: `/learned/0` is `learned[0]`; other texts stay. */
export function formatJsonPointer(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer
  const parts = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts.reduce((path, part) => {
    if (/^\d+$/.test(part)) return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, '')
}
