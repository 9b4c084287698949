import { invalidValue } from './invalid-value.ts'

/**
 * Reads the address of a server or a node.
 *
 * @throws `value/invalid`, whose sentence has no name and password of the address
 */
export function readServerUrl(url: string | URL, field = 'url'): URL {
  if (/^https?:/i.test(`${url}`) && URL.canParse(`${url}`)) return new URL(url)
  throw invalidValue({ kind: 'URL', field, value: url && `${url}`.replace(/^.*@/s, '') })
}
