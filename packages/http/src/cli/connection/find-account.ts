import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@heirloom/core'
import type { LocalAccount } from 'viem/accounts'
import { dataDirOf, type Environment } from '../../config/environment.ts'
import { hostNameOf, isLoopback } from '../../config/read-access.ts'
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

/** A private key as it was found, and what names it in messages. */
type FoundKey = { readonly name: string; readonly text: string }

// Loaded only here: most commands need no key.
async function toAccount(found: FoundKey | undefined): Promise<LocalAccount | undefined> {
  if (found === undefined) return undefined
  const { readAgentKey } = await import('../../config/read-keys.ts')
  const { privateKeyToAccount } = await import('viem/accounts')
  return privateKeyToAccount(readAgentKey(found.name, found.text))
}

async function findOwnKey(terminal: Terminal): Promise<FoundKey | undefined> {
  const { HEIRLOOM_PRIVATE_KEY: key, HEIRLOOM_KEYSTORE: keystore } = terminal.env
  if (key && keystore) {
    throw invalid('HEIRLOOM_KEYSTORE', 'and HEIRLOOM_PRIVATE_KEY are both set; unset one of them')
  }
  if (key) return { name: 'HEIRLOOM_PRIVATE_KEY', text: key }
  const found = findKeystore(terminal.env)
  return found && { name: found.name, text: await openKeystore(terminal, found) }
}

async function serverAccount({ env }: Terminal): Promise<LocalAccount | undefined> {
  if (env.AGENT_KEY_SERVICE) return serviceAccount(env)
  const text = readIfExists(join(dataDirOf(env), 'agent.key'))
  return toAccount(text === undefined ? undefined : { name: 'agent.key', text })
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
