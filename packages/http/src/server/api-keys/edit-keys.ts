import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { replaceFile } from '@heirloom/adapters/data-folder'
import { invalid } from '../../config/environment.ts'
import type { ApiKey } from './api-key.ts'
import { type KeptKey, keysText, namePattern, readKeys } from './key-file.ts'
import { digestOfKey } from './key-ring.ts'

/** How many random bytes a key has. */
const keyBytes = 32

/**
 * Returns the keys of a file; none where there is no file.
 *
 * @throws `config/invalid`
 */
export function keysIn(path: string): readonly KeptKey[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (Object(error).code === 'ENOENT') return []
    throw invalid('API_KEYS_FILE', 'cannot be read')
  }
  return readKeys(text)
}

/**
 * Adds a new key to a file, and returns the key itself, which is nowhere else.
 *
 * @throws `config/invalid` where the name is taken or none that a key may have
 */
export function addKey(path: string, key: ApiKey): string {
  if (!new RegExp(namePattern).test(key.name)) {
    const problem =
      'takes names of 1 to 40 small letters, digits and hyphens that do not begin with env-'
    throw invalid('API_KEYS_FILE', problem)
  }
  const kept = keysIn(path)
  if (kept.some(({ name }) => name === key.name)) {
    throw invalid('API_KEYS_FILE', `has a key ${key.name} already; revoke it first`)
  }
  const text = `hl_${randomBytes(keyBytes).toString('base64url')}`
  replaceFile(path, keysText([...kept, { ...key, sha256: digestOfKey(text) }]))
  return text
}

/**
 * Takes a key out of a file.
 *
 * @throws `config/invalid` where there is none of that name
 */
export function removeKey(path: string, name: string): void {
  const kept = keysIn(path)
  const left = kept.filter((key) => key.name !== name)
  if (left.length === kept.length) throw invalid('API_KEYS_FILE', 'has no key of that name')
  replaceFile(path, keysText(left))
}
