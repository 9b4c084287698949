import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import { tenantName } from '@heirloom/adapters/keys'
import { invalidVariable } from '../../config/environment.ts'
import type { ApiKey } from './api-key.ts'
import {
  formatKeyFile,
  namePattern,
  parseKeyFile,
  requireTenantScope,
  type StoredKey,
} from './key-file.ts'
import { keyDigest } from './key-ring.ts'

/** The random bytes of a key. */
const keyBytes = 32

/**
 * Reads the keys of a file; returns none if the file does not exist.
 *
 * @throws `config/invalid`
 */
export function readKeyFile(path: string): readonly StoredKey[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (Object(error).code === 'ENOENT') return []
    throw invalidVariable('API_KEYS_FILE', 'cannot be read')
  }
  return parseKeyFile(text)
}

/**
 * Adds a new key to a file, and returns the key itself, which is stored nowhere.
 *
 * @throws `config/invalid` if the name is taken or not allowed
 */
export function addKey(path: string, key: ApiKey): string {
  if (!new RegExp(namePattern).test(key.name)) {
    const problem =
      'takes names of 1 to 40 small letters, digits and hyphens that do not begin with env-'
    throw invalidVariable('API_KEYS_FILE', problem)
  }
  requireKeyOfTenant(key)
  const stored = readKeyFile(path)
  if (stored.some(({ name }) => name === key.name)) {
    throw invalidVariable('API_KEYS_FILE', `has a key ${key.name} already; revoke it first`)
  }
  const text = `hl_${randomBytes(keyBytes).toString('base64url')}`
  replaceFile(path, formatKeyFile([...stored, { ...key, sha256: keyDigest(text) }]))
  return text
}

/** Requires what a key of a tenant may be. @throws `config/invalid` */
export function requireKeyOfTenant(key: ApiKey): void {
  requireTenantScope(key)
  if (key.tenant === undefined || tenantName.test(key.tenant)) return
  const problem = 'takes only the name of a tenant, as heirloom tenants list shows it'
  throw invalidVariable('API_KEYS_FILE', problem)
}

/** Removes the keys of a tenant from a file, and returns their names. @throws `config/invalid` */
export function removeKeysOf(path: string, tenant: string): readonly string[] {
  const stored = readKeyFile(path)
  const left = stored.filter((key) => key.tenant !== tenant)
  if (left.length < stored.length) replaceFile(path, formatKeyFile(left))
  return stored.filter((key) => key.tenant === tenant).map(({ name }) => name)
}

/**
 * Removes a key from a file.
 *
 * @throws `config/invalid` if no key has that name
 */
export function removeKey(path: string, name: string): void {
  const stored = readKeyFile(path)
  const left = stored.filter((key) => key.name !== name)
  if (left.length === stored.length)
    throw invalidVariable('API_KEYS_FILE', 'has no key of that name')
  replaceFile(path, formatKeyFile(left))
}
