import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from '../../config/config.ts'

/**
 * Returns the folder of what your wallets must not forget: `HEIRLOOM_STATE_DIR`, or `heirloom` in the
 * folder for state of the XDG directories. It is the same for every working folder.
 */
export function stateFolderOf({ HEIRLOOM_STATE_DIR, XDG_STATE_HOME, HOME }: Environment): string {
  if (HEIRLOOM_STATE_DIR) return resolve(HEIRLOOM_STATE_DIR)
  const home = HOME ? HOME : homedir()
  return join(XDG_STATE_HOME ? XDG_STATE_HOME : join(home, '.local', 'state'), 'heirloom')
}
