import { readFileSync } from 'node:fs'
import { invalidVariable } from '../../config/environment.ts'
import type { Terminal } from '../terminal/terminal.ts'

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
