import type { Config } from './config.ts'
import { invalidVariable } from './environment.ts'
import { isLocalOnly, settingThatOpens } from './loopback.ts'

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

function requireApiKeys(config: Config, openWrites: boolean): void {
  const hasKeys = config.apiKeys.length > 0 || config.apiKeysFile !== undefined
  const opening = settingThatOpens(config)
  if (opening === undefined || hasKeys || openWrites) return
  throw invalidVariable(
    'API_KEYS',
    `or API_KEYS_FILE must be set, because ${opening} lets other machines reach the server and its writes spend the money of the agent wallet. Name a file in API_KEYS_FILE, and make its first key with: heirloom api-key new NAME --file FILE. OPEN_WRITES=true allows writes to anyone instead`,
  )
}

// A public server without a known origin cannot name the text that clients must sign.
function requirePublicUrl(config: Config): void {
  const { publicUrl, requireBoundProof, openActs } = config
  if (publicUrl !== undefined || isLocalOnly(config)) return
  const setting = requireBoundProof ? 'REQUIRE_BOUND_PROOF' : openActs.length > 0 && 'OPEN_ACTS'
  if (!setting) return
  throw invalidVariable(
    'PUBLIC_URL',
    `must be set where ${setting} is and other machines reach the server, as ${settingThatOpens(config)} says`,
  )
}
