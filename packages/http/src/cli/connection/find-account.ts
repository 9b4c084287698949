import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, type Hex } from '@heirloom/core'
import type { LocalAccount } from 'viem/accounts'
import { dataDirOf } from '../../config/config.ts'
import { readAgentKey } from '../../config/key-text.ts'
import { isLoopback } from '../../config/loopback.ts'
import { askPassword } from '../terminal/prompt.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Returns the wallet that signs: of HEIRLOOM_PRIVATE_KEY, of the keystore file HEIRLOOM_KEYSTORE, or
 * the one that a server of this machine keeps in its data folder. Nothing where there is none.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export async function accountOf(terminal: Terminal, url: URL): Promise<LocalAccount | undefined> {
  const key = await keyOf(terminal, url)
  if (key === undefined) return undefined
  const { privateKeyToAccount } = await import('viem/accounts')
  return privateKeyToAccount(key)
}

async function keyOf(terminal: Terminal, url: URL): Promise<Hex | undefined> {
  const { HEIRLOOM_PRIVATE_KEY: key, HEIRLOOM_KEYSTORE: keystore } = terminal.env
  if (key && keystore) {
    throw invalid('HEIRLOOM_KEYSTORE', 'must be left out where HEIRLOOM_PRIVATE_KEY is set')
  }
  if (key) return readAgentKey('HEIRLOOM_PRIVATE_KEY', key)
  if (keystore) return readAgentKey('HEIRLOOM_KEYSTORE', await privateKeyIn(terminal, keystore))
  return isLoopback(url.hostname.replace(/^\[|\]$/g, '')) ? keyOfServer(terminal) : undefined
}

function keyOfServer({ env }: Terminal) {
  const text = textIfThere(join(dataDirOf(env), 'agent.key'))
  return text === undefined ? undefined : readAgentKey('agent.key', text)
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Opens a keystore file of Web3 Secret Storage, version 3. */
async function privateKeyIn(terminal: Terminal, path: string): Promise<string> {
  const text = textIfThere(path)
  if (text === undefined) throw invalid('HEIRLOOM_KEYSTORE', 'must name a file that can be read')
  const { decrypt, toKeyAsync } = await import('ox/Keystore')
  const password = await passwordOf(terminal)
  try {
    const keystore = JSON.parse(text)
    return decrypt(keystore, await toKeyAsync(keystore, { password }))
  } catch {
    throw invalid(
      'HEIRLOOM_KEYSTORE',
      'must be a keystore of version 3 that the given password opens',
    )
  }
}

async function passwordOf(terminal: Terminal): Promise<string> {
  const { HEIRLOOM_KEYSTORE_PASSWORD: password, HEIRLOOM_KEYSTORE_PASSWORD_FILE: file } =
    terminal.env
  if (password !== undefined) return password
  if (!file) return askPassword(terminal)
  const text = textIfThere(file)
  if (text !== undefined) return text.replace(/\r?\n$/, '')
  throw invalid('HEIRLOOM_KEYSTORE_PASSWORD_FILE', 'must name a file that can be read')
}

const invalid = (name: string, problem: string) => new Failure('config/invalid', { name, problem })
