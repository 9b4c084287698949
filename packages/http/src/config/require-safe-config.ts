import type { Config } from './config.ts'
import { invalidVariable } from './environment.ts'
import { isLoopback } from './loopback.ts'

/**
 * Refuses a configuration that would lose secrets, give away money or take unsafe proofs.
 *
 * @throws `config/invalid`
 */
export function requireSafeConfig(config: Config, openWrites: boolean): void {
  requireSecrets(config)
  requireApiKeys(config, openWrites)
  requirePublicUrl(config)
}

// A key that is generated here would own money on a chain that outlives the data folder.
function requireSecrets({ chain, agentKey, keyService, masterKeys, masterKeyFile }: Config): void {
  if (chain.kind === 'embedded') return
  if (agentKey === undefined && keyService === undefined) {
    throw invalidVariable('AGENT_PRIVATE_KEY', 'or AGENT_KEY_SERVICE must be set where RPC_URL is')
  }
  if (masterKeys.length === 0 && masterKeyFile === undefined) {
    throw invalidVariable('MASTER_KEYS', 'or MASTER_KEY_FILE must be set where RPC_URL is')
  }
}

function requireApiKeys({ host, apiKeys, apiKeysFile }: Config, openWrites: boolean): void {
  const hasKeys = apiKeys.length > 0 || apiKeysFile !== undefined
  if (isLoopback(host) || hasKeys || openWrites) return
  throw invalidVariable(
    'API_KEYS',
    'or API_KEYS_FILE must be set where HOST is not a loopback address, for writes spend the money of the agent wallet; OPEN_WRITES=true allows them to anyone',
  )
}

// A public server without a known origin cannot name the text that clients must sign.
function requirePublicUrl({ host, publicUrl, requireBoundProof, openActs }: Config): void {
  if (publicUrl !== undefined || isLoopback(host)) return
  const setting = requireBoundProof ? 'REQUIRE_BOUND_PROOF' : openActs.length > 0 && 'OPEN_ACTS'
  if (!setting) return
  throw invalidVariable(
    'PUBLIC_URL',
    `must be set where ${setting} is and HOST is not a loopback address`,
  )
}
