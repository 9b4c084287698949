import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, type Hex } from '@heirloom/core'
import type { LocalAccount } from 'viem/accounts'
import { dataDirOf, type Environment } from '../../config/config.ts'
import { hostNameOf, isLoopback } from '../../config/read-access.ts'
import { readAgentKey } from '../../config/read-keys.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { findKeystore, openKeystore } from './keystore.ts'

/**
 * Returns the wallet to sign with: from HEIRLOOM_PRIVATE_KEY, from your keystore, or for a server
 * on this machine from its key service or its data folder. Returns undefined when there is none.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export async function findAccount(terminal: Terminal, url: URL): Promise<LocalAccount | undefined> {
  const isHere = isLoopback(hostNameOf(url))
  const own = await toAccount(await findOwnKey(terminal))
  return own ?? (isHere ? serverAccount(terminal) : undefined)
}

/**
 * Returns the wallet of HEIRLOOM_PRIVATE_KEY or of your keystore, and never that of a server. Returns
 * undefined when there is none.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export async function findOwnAccount(terminal: Terminal): Promise<LocalAccount | undefined> {
  return toAccount(await findOwnKey(terminal))
}

async function toAccount(key: Hex | undefined): Promise<LocalAccount | undefined> {
  if (key === undefined) return undefined
  const { privateKeyToAccount } = await import('viem/accounts')
  return privateKeyToAccount(key)
}

async function findOwnKey(terminal: Terminal): Promise<Hex | undefined> {
  const { HEIRLOOM_PRIVATE_KEY: key, HEIRLOOM_KEYSTORE: keystore } = terminal.env
  if (key && keystore) {
    throw invalid('HEIRLOOM_KEYSTORE', 'and HEIRLOOM_PRIVATE_KEY are both set; unset one of them')
  }
  if (key) return readAgentKey('HEIRLOOM_PRIVATE_KEY', key)
  const found = findKeystore(terminal.env)
  return found && readAgentKey(found.name, await openKeystore(terminal, found))
}

async function serverAccount({ env }: Terminal): Promise<LocalAccount | undefined> {
  if (env.AGENT_KEY_SERVICE) return serviceAccount(env)
  const text = readIfExists(join(dataDirOf(env), 'agent.key'))
  return toAccount(text === undefined ? undefined : readAgentKey('agent.key', text))
}

// Loaded only here: few commands have a key service.
async function serviceAccount(env: Environment): Promise<LocalAccount | undefined> {
  const { readKeyService } = await import('../../config/read-keys.ts')
  const { configuredWallet } = await import('../../server/keys/agent-wallet.ts')
  return configuredWallet({ agentKey: undefined, keyService: readKeyService(env) })?.wallet
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const invalid = (name: string, problem: string) => new Failure('config/invalid', { name, problem })
