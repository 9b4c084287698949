import { isFailure } from '@heirloom/core'
import type { Config, Environment } from '../../config/config.ts'
import { misspeltVariables } from '../../config/misspelt-variables.ts'
import { readKeyFile } from '../../server/api-keys/open-api-keys.ts'
import { requireFreePort } from '../../server/start/listen.ts'
import { type Finding, ok, runCheck, warn } from './finding.ts'
import type { Installation } from './installation.ts'

/** Finds variables that look like a setting and are none. */
export function* checkVariables(env: Environment): Generator<Finding> {
  for (const sentence of misspeltVariables(env)) {
    yield warn('config', sentence, 'Correct its name, or unset it.')
  }
}

/** Checks the file of the API keys, where there is one. */
export async function* checkApiKeys({ apiKeysFile }: Config): AsyncGenerator<Finding> {
  if (apiKeysFile === undefined) return
  const advice =
    'Correct the file or API_KEYS_FILE; heirloom api-key new NAME --file FILE adds a key.'
  yield await runCheck('api-keys', advice, async () => {
    const keys = await readKeyFile(apiKeysFile)
    return ok('api-keys', `API_KEYS_FILE has ${keys.length} keys.`)
  })
}

/** Checks that a server can listen at its port, unless one of this folder does. */
export async function* checkPort({ config, lockError }: Installation): AsyncGenerator<Finding> {
  if (isFailure(lockError, 'folder/in-use')) return
  try {
    await requireFreePort(config)
  } catch (error) {
    if (!isFailure(error)) throw error
    yield warn('port', error.message, 'A server of this folder cannot start there meanwhile.')
  }
}
