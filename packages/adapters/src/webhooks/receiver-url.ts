import { isIP } from 'node:net'
import { Failure } from '@heirloom/core'
import { isPublicAddress } from './public-address.ts'

/** The longest URL of a webhook, in characters. */
export const longestUrl = 2048

/**
 * Parses and normalises the URL of a webhook: http or https, without a user name and password, which
 * would appear in lists and logs.
 *
 * @throws `value/invalid`
 */
export function receiverUrl(text: string, { toPrivate }: { readonly toPrivate: boolean }): string {
  const url = text.length <= longestUrl && URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalid(`must be an http or https address of at most ${longestUrl} characters`)
  }
  if (url.username !== '' || url.password !== '')
    throw invalid('must have no name or password in it')
  const host = hostOf(url)
  if (!toPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
    throw invalid('must be on the public network, unless WEBHOOKS_TO_PRIVATE is true')
  }
  url.hash = ''
  return url.href
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const invalid = (problem: string) =>
  new Failure('value/invalid', { kind: 'webhook address', problem })
