import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Environment, readAgentKey } from '../config.ts'
import { isLoopback } from '../own-host.ts'

/**
 * Returns the account that an environment names: `HEIRLOOM_PRIVATE_KEY`, or, for a server on this
 * machine, the agent's own key where the data folder has one.
 *
 * @throws `config/invalid`
 */
export function accountFrom(env: Environment, url: URL): LocalAccount | undefined {
  const name = 'HEIRLOOM_PRIVATE_KEY'
  const given = env[name] || undefined
  if (given !== undefined) return privateKeyToAccount(readAgentKey(name, given))
  const kept = join(env.DATA_DIR || '.heirloom', 'agent.key')
  if (!isLoopback(url.hostname.replace(/^\[|\]$/g, '')) || !existsSync(kept)) return undefined
  return privateKeyToAccount(readAgentKey('agent.key', readFileSync(kept, 'utf8')))
}
