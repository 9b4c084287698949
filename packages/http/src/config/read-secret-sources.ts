import { type Environment, invalidVariable, readText, splitList } from './environment.ts'
import { readMasterKeys } from './key-text.ts'

/** The master keys of the environment, or the file that holds them. */
export type MasterKeySource = {
  /** The master keys, the wrapping one first; empty if they are in a file. */
  readonly masterKeys: readonly Uint8Array[]
  /** The file of the master keys; absent for `master.keys` in the data folder. */
  readonly masterKeyFile: string | undefined
}

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
 * Reads the master keys, or the name of their file.
 *
 * @throws `config/invalid`
 */
export function readMasterKeySource(env: Environment): MasterKeySource {
  const masterKeys = readMasterKeys('MASTER_KEYS', readText(env, 'MASTER_KEYS') ?? '')
  const masterKeyFile = readText(env, 'MASTER_KEY_FILE')
  if (masterKeys.length > 0 && masterKeyFile !== undefined) {
    throw invalidVariable('MASTER_KEY_FILE', 'must be left out where MASTER_KEYS is set')
  }
  return { masterKeys, masterKeyFile }
}
