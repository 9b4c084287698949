import { type Environment, invalidVariable, readText, wrongValue } from './environment.ts'

/**
 * Reads the URL of the PostgreSQL database.
 *
 * @throws `config/invalid`
 */
export function readDatabaseUrl(env: Environment): string | undefined {
  const text = readText(env, 'DATABASE_URL')
  if (text === undefined) return undefined
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol === 'postgres:' || protocol === 'postgresql:') return text
  throw invalidVariable('DATABASE_URL', 'must be a postgres address')
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
