import { readFileSync } from 'node:fs'
import type { Key, Keystore } from 'ox/Keystore'
import { type Environment, invalidVariable } from '../../config/environment.ts'
import { promptPassword } from '../terminal/prompt.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { keystorePath } from './keystore-path.ts'
import { readPassword } from './read-password.ts'
import { scryptKey } from './scrypt-key.ts'

/** A keystore file (Web3 Secret Storage, version 3). */
type FoundKeystore = {
  /** The variable that names it, or else its path. */
  readonly name: string
  readonly path: string
  readonly text: string
}

/**
 * Returns your keystore; `undefined` when no variable names one and `heirloom login` made none.
 *
 * @throws `config/invalid` for a variable that names no file
 */
export function findKeystore(env: Environment): FoundKeystore | undefined {
  const path = keystorePath(env)
  const name = env.HEIRLOOM_KEYSTORE ? 'HEIRLOOM_KEYSTORE' : path
  try {
    return { name, path, text: readFileSync(path, 'utf8') }
  } catch (error) {
    const isAbsent = !env.HEIRLOOM_KEYSTORE && Object(error).code === 'ENOENT'
    if (isAbsent) return undefined
    throw invalidVariable(name, 'must name a file that can be read')
  }
}

/**
 * Decrypts a keystore with the password of the environment, or else asks for it.
 *
 * @returns the private key, 0x and hexadecimal digits
 * @throws `config/invalid` for another kind of file, or a wrong password; `Declined`
 */
export async function openKeystore(terminal: Terminal, found: FoundKeystore): Promise<string> {
  const keystore = parseKeystore(found)
  const password = readPassword(terminal) ?? (await promptPassword(terminal, found.path))
  const { decrypt } = await import('ox/Keystore')
  try {
    return decrypt(keystore, await deriveKey(keystore, password))
  } catch {
    throw invalidVariable(found.name, 'does not open with this password')
  }
}

async function deriveKey(keystore: Keystore, password: string): Promise<Key> {
  const { kdfparams } = keystore.crypto
  if ('n' in kdfparams) return scryptKey(password, kdfparams)
  const { toKeyAsync } = await import('ox/Keystore')
  return toKeyAsync(keystore, { password })
}

/** Reads the parts of a keystore. @throws `config/invalid` */
export function parseKeystore({ name, text }: Pick<FoundKeystore, 'name' | 'text'>): Keystore {
  const value = parseJson(text)
  const { version, crypto } = Object(value)
  if (version === 3 && typeof crypto === 'object' && crypto !== null) return value as Keystore
  throw invalidVariable(name, 'must be a keystore of version 3, as geth and foundry write it')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
