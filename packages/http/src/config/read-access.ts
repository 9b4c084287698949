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
