import { invalidValue } from './invalid-value.ts'

/**
 * Reads the address of a server or a node.
 *
 * @throws `value/invalid`, whose sentence has no name and password of the address
 */
export function readServerUrl(url: string | URL, field = 'url'): URL {
  const text = `${url}`
  if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text)
  throw invalidValue({ kind: 'URL', field, value: url && text.replace(/^.*@/s, '') })
}
