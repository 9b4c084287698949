import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import { localMasterKey, type MasterKeys } from '@heirloom/adapters/keys'
import { Failure } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { readMasterKeys } from '../../config/read-keys.ts'

/** Throws the failure of a secret file that every user of the machine can read. */
export function requirePrivate(path: string, fail: (problem: string) => Error): void {
  // Windows has no such file modes. A group may read it: Kubernetes gives secrets to one.
  if (process.platform === 'win32') return
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o007) === 0) return
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  throw fail(`can be used by every user of this machine (mode ${octal}); run chmod 600 on it`)
}

type Configured = Pick<Config, 'masterKeys' | 'masterKeyFile'>

/** Returns the path of the file that holds the master keys, where the environment has none. */
export const masterKeyPath = ({ masterKeyFile }: Configured, folder: string): string =>
  masterKeyFile === undefined ? join(folder, 'master.keys') : resolve(masterKeyFile)

/**
 * Loads the master keys from the environment or from their file; returns `undefined` if the file does
 * not exist.
 *
 * @throws `config/invalid`
 */
export function loadMasterKeys(config: Configured, folder: string): MasterKeys | undefined {
  if (config.masterKeys.length > 0) return masterKeysOf('MASTER_KEYS', config.masterKeys)
  const file = masterKeyPath(config, folder)
  if (!existsSync(file)) return undefined
  // The file of the data folder is in a folder that nobody else can enter.
  if (config.masterKeyFile !== undefined) requirePrivate(file, failureOf(file))
  return masterKeysOf(file, readMasterKeys(file, textOf(file)))
}

const failureOf = (name: string) => (problem: string) =>
  new Failure('config/invalid', { name, problem })

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Failure('config/invalid', { name: file, problem: 'cannot be read' }, { cause })
  }
}

function masterKeysOf(name: string, keys: readonly Uint8Array[]): MasterKeys {
  const [first, ...others] = keys.map(localMasterKey)
  if (first === undefined) throw new Failure('config/invalid', { name, problem: 'holds no key' })
  return [first, ...others]
}

/**
 * Generates a master key and writes it to its file, which only this user can read.
 *
 * @throws `config/invalid`
 */
export function createMasterKeys(config: Configured, folder: string): MasterKeys {
  const file = masterKeyPath(config, folder)
  const key = randomBytes(32)
  try {
    replaceFile(file, `${key.toString('hex')}\n`)
  } catch (cause) {
    throw new Failure('config/invalid', { name: file, problem: 'cannot be written' }, { cause })
  }
  return masterKeysOf(file, [key])
}
