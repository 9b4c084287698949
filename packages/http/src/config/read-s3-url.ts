import type { S3Place } from '@heirloom/adapters/blob-store/s3'
import { invalidVariable } from './environment.ts'

/**
 * Reads a place in an S3-compatible store: `s3://bucket/prefix`, with the options `endpoint`,
 * `region` and `path-style`. Path style is the default at an endpoint.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readS3Url(name: string, text: string): S3Place {
  const fail = (problem: string) => invalidVariable(name, problem)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw fail('must be a URL such as s3://bucket/prefix')
  const given = url.searchParams
  requireKnown(given, fail)
  const bucket = readBucket(url, fail)
  const prefix = readPrefix(url.pathname, fail)
  const endpoint = readEndpoint(given.get('endpoint') ?? undefined, fail)
  const region = given.get('region') ?? undefined
  if (!/^[a-z0-9-]{1,63}$/.test(region ?? 'any')) {
    throw fail('must name a region of lower-case letters, digits and hyphens')
  }
  const pathStyle = given.get('path-style') ?? String(endpoint !== undefined)
  if (!/^(true|false)$/.test(pathStyle)) throw fail('needs path-style=true or false')
  return { bucket, prefix, endpoint, region, pathStyle: pathStyle === 'true' }
}

function readBucket({ username, password, hostname, port, hash }: URL, fail: Fail): string {
  if (username + password !== '') {
    throw fail('must hold no key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  const isBucket = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname) && port + hash === ''
  if (isBucket) return hostname
  throw fail('must begin with s3:// and the name of a bucket, and its options follow a ?')
}

type Fail = (problem: string) => Error

const options = ['endpoint', 'region', 'path-style']

function requireKnown(given: URLSearchParams, fail: Fail): void {
  const names = [...given.keys()]
  if (names.some((name) => !options.includes(name))) {
    throw fail(`has an unknown option; it may have ${options.join(', ')}`)
  }
  if (new Set(names).size < names.length) throw fail('has an option twice')
}

function readEndpoint(text: string | undefined, fail: Fail): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  if (!isPlain) throw fail('needs an endpoint such as https://s3.example, without a key in it')
  return text.replace(/\/$/, '')
}

function readPrefix(pathname: string, fail: Fail): string {
  const prefix = pathname.replace(/^\//, '').replace(/\/?$/, '/')
  if (prefix === '/') return ''
  // Names that programs change on their way would not be found again.
  if (/^([\w.-]+\/)+$/.test(prefix) && !/(^|\/)\.{1,2}\//.test(prefix)) return prefix
  throw fail('needs a prefix of letters, digits, dots, hyphens and underscores between slashes')
}
