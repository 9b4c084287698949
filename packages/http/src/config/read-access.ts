import { isIPv4 } from 'node:net'
import {
  type Environment,
  invalidVariable,
  readText,
  splitList,
  wrongValue,
} from './environment.ts'

/**
 * The acts that need no API key where OPEN_ACTS names them. They cost the operator nothing but bounded
 * storage (seal) or bounded gas (relay).
 */
export const openableActs = ['seal', 'relay'] as const
export type OpenAct = (typeof openableActs)[number]

/**
 * Reads the acts that need no API key.
 *
 * @throws `config/invalid`
 */
export function readOpenActs(env: Environment): readonly OpenAct[] {
  const names = splitList(readText(env, 'OPEN_ACTS'))
  if (names.every(isOpenable)) return names
  throw wrongValue('OPEN_ACTS', `must be a comma list of: ${openableActs.join(', ')}`, names.join())
}

const isOpenable = (name: string): name is OpenAct => openableActs.some((act) => act === name)

/**
 * Reads the API keys that have no name and no budget.
 *
 * @throws `config/invalid`
 */
export function readApiKeys(env: Environment): readonly string[] {
  const text = readText(env, 'API_KEYS')
  const keys = splitList(text)
  if (text !== undefined && keys.length === 0) {
    throw invalidVariable('API_KEYS', 'is set but holds no key')
  }
  if (keys.every((key) => /^[\x21-\x7e]{16,}$/.test(key))) return keys
  throw invalidVariable(
    'API_KEYS',
    'must be a comma list of keys, each of 16 or more printable characters',
  )
}

/**
 * Reads the origin at which clients reach the server.
 *
 * @throws `config/invalid`
 */
export function readPublicUrl(env: Environment): string | undefined {
  const text = readText(env, 'PUBLIC_URL')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && [url.origin, `${url.origin}/`].includes(url.href)
  if (isOrigin && /^https?:$/.test(url.protocol)) return url.origin
  throw wrongValue('PUBLIC_URL', 'must be an http or https address without a path', text)
}

/** Reads the URI that `security.txt` names for reports of weaknesses. @throws `config/invalid` */
export function readSecurityContact(env: Environment): string | undefined {
  const text = readText(env, 'SECURITY_CONTACT')
  if (text === undefined) return undefined
  if (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[0-9-]+)$/.test(text)) return text
  throw wrongValue('SECURITY_CONTACT', 'must be a mailto:, https: or tel: address', text)
}

/** Returns the name or address of a URL's host, an IPv6 address without its brackets. */
export const hostNameOf = (url: string | URL): string =>
  new URL(url).hostname.replace(/^\[|\]$/g, '')

/** Returns whether a host name or address is one of loopback, which never leaves this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}

/** The settings that say who reaches a server. */
export type Reach = {
  readonly host: string
  readonly publicUrl?: string | undefined
  readonly bounds?: { readonly trustProxy?: unknown } | undefined
}

/** Returns the setting that lets other machines reach a server; `undefined` where only this one does. */
export function settingThatOpens({ host, publicUrl, bounds }: Reach): string | undefined {
  if (!isLoopback(host)) return 'HOST'
  // With another name, or behind a proxy, the server gets requests of other machines from a program here.
  if (publicUrl !== undefined && !isLoopback(hostNameOf(publicUrl))) return 'PUBLIC_URL'
  return bounds?.trustProxy === undefined ? undefined : 'TRUST_PROXY'
}

/**
 * Returns whether only this machine reaches a server: its host is loopback, it has no PUBLIC_URL of
 * another host, and it trusts no proxy. Whatever is open or unbounded for the user of this machine
 * asks this function.
 */
export const isLocalOnly = (config: Reach): boolean => settingThatOpens(config) === undefined
