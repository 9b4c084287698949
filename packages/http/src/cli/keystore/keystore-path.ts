import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from '../../config/environment.ts'

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
