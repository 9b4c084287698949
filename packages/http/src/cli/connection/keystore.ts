import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Hex } from '@heirloom/core'
import type { Key, Keystore } from 'ox/Keystore'
import { type Environment, invalidVariable } from '../../config/environment.ts'
import { UsageError } from '../arguments/command.ts'
import { promptPassword } from '../terminal/prompt.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Returns the file that `heirloom login` writes, and that holds your wallet where no variable names
 * another one: `HEIRLOOM_KEYSTORE`, or `heirloom/keystore.json` in the folder for settings of the XDG
 * directories.
 */
export function keystorePath({ HEIRLOOM_KEYSTORE, XDG_CONFIG_HOME, HOME }: Environment): string {
  if (HEIRLOOM_KEYSTORE) return resolve(HEIRLOOM_KEYSTORE)
  const home = HOME ? HOME : homedir()
  const settings = XDG_CONFIG_HOME ? XDG_CONFIG_HOME : join(home, '.config')
  return join(settings, 'heirloom', 'keystore.json')
}

/**
 * Returns the password of the environment, of HEIRLOOM_KEYSTORE_PASSWORD or of the file that
 * HEIRLOOM_KEYSTORE_PASSWORD_FILE names; `undefined` when neither is set.
 *
 * @throws `config/invalid` for a file that cannot be read
 */
export function readPassword({ env }: Pick<Terminal, 'env'>): string | undefined {
  const { HEIRLOOM_KEYSTORE_PASSWORD: password, HEIRLOOM_KEYSTORE_PASSWORD_FILE: file } = env
  if (password !== undefined || !file) return password
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch {
    throw invalidVariable('HEIRLOOM_KEYSTORE_PASSWORD_FILE', 'must name a file that can be read')
  }
}

/** The parameters of scrypt as a keystore names them; the salt in hexadecimal. */
type ScryptParameters = {
  readonly dklen: number
  readonly n: number
  readonly r: number
  readonly p: number
  readonly salt: string
}

/** The most memory that a keystore may take to open: 1 GiB, four times what geth writes. */
const maxmem = 2 ** 30

const derive: (
  password: string,
  salt: Uint8Array,
  length: number,
  options: ScryptOptions,
) => Promise<Buffer> = promisify(scrypt)

/**
 * Derives the key of a keystore from its password (RFC 7914), with the code of Node, which takes a
 * twentieth of the time of JavaScript.
 *
 * @throws an error of Node for parameters that are invalid or take too much memory
 */
export async function scryptKey(
  password: string,
  { dklen, n, r, p, salt }: ScryptParameters,
): Promise<Hex> {
  const bytes = Buffer.from(salt.replace(/^0x/, ''), 'hex')
  // A few blocks more than the formula: Node counts its own use as well.
  const options = { N: n, r, p, maxmem: Math.min(maxmem, 128 * r * (n + p + 2) + 1024) }
  return `0x${(await derive(password, bytes, dklen, options)).toString('hex')}`
}

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
