import { randomBytes } from 'node:crypto'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Hex } from '@heirloom/core'
import { UsageError } from '../arguments/usage-error.ts'
import { scryptKey } from './scrypt-key.ts'

/** A key to encrypt, its address and its password. */
type NewKeystore = {
  readonly path: string
  readonly key: Hex
  readonly address: Hex
  readonly password: string
}

/**
 * Encrypts a key with a password (scrypt, Web3 Secret Storage version 3), and writes it to a new file
 * that only this user can read.
 *
 * @throws a `UsageError` for a file that exists, or cannot be written
 */
export async function createKeystore({ path, key, address, password }: NewKeystore): Promise<void> {
  const { encrypt } = await import('ox/Keystore')
  const kdfparams = { ...cost, salt: randomBytes(32).toString('hex') }
  const derived = await scryptKey(password, kdfparams)
  const keystore = encrypt(key, derived, { kdf: 'scrypt', kdfparams, iv: randomBytes(16) })
  const text = JSON.stringify({ address: address.slice(2).toLowerCase(), ...keystore })
  await writeNew(path, `${text}\n`)
}

// What OWASP recommends: 128 MiB, and some tenths of a second.
const cost = { dklen: 32, n: 2 ** 17, r: 8, p: 1 }

/** Writes a whole file durably, or nothing; never replaces one. */
async function writeNew(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    await link(temporary, path)
  } catch (error) {
    const { code } = Object(error)
    throw code === 'EEXIST' ? existsError(path) : new UsageError(`Cannot write ${path} (${code}).`)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Returns the error for a keystore that would be replaced, with which its key would be lost. */
export const existsError = (path: string): UsageError =>
  new UsageError(
    `${path} exists, and is never replaced: its key would be lost. Move it away, or name another file in HEIRLOOM_KEYSTORE.`,
  )
