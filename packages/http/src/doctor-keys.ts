import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { masterKeyId } from '@heirloom/adapters/cipher'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { readAgentKey, readMasterKeys } from './config.ts'
import { type Finding, fail, found, ok, warn } from './doctor-finding.ts'
import type { Site } from './doctor-site.ts'

/** The keys of an installation, as far as there are any, and what is to be said of them. */
export type Keys = {
  readonly wallet: PrivateKeyAccount | undefined
  readonly masterKeys: readonly Uint8Array[]
  readonly findings: readonly Finding[]
}

const restore = 'Restore it from a backup.'

/** Reads the keys that a server would; makes none. */
export async function keysOf(site: Site): Promise<Keys> {
  let wallet: PrivateKeyAccount | undefined
  const agent = await found('agent-key', restore, () => {
    const key = site.config.agentKey ?? read(site, 'agent.key', readAgentKey)
    wallet = key && privateKeyToAccount(key)
    return wallet ? ok('agent-key', `The agent wallet is ${wallet.address}.`) : lost(site, agentKey)
  })
  let masterKeys = site.config.masterKeys
  const ring = await found('master-keys', restore, () => {
    if (masterKeys.length === 0) masterKeys = read(site, 'master.keys', readMasterKeys) ?? []
    return masterKeys.length > 0 ? ringOf(masterKeys) : lost(site, ringKeys)
  })
  return { wallet, masterKeys, findings: [agent, ring] }
}

function read<T>(
  { folder, has }: Site,
  name: string,
  parse: (name: string, text: string) => T,
): T | undefined {
  return has(name) ? parse(name, readFileSync(join(folder, name), 'utf8')) : undefined
}

const agentKey = { name: 'agent-key', file: 'agent.key', needed: 'chain.sqlite' }
const ringKeys = { name: 'master-keys', file: 'master.keys', needed: 'blobs' }

function lost({ has, folder }: Site, { name, file, needed }: typeof agentKey): Finding {
  if (!has(needed)) return warn(name, 'There is none yet.', 'The first start of a server makes it.')
  return fail(name, `${file} is missing, and ${join(folder, needed)} needs it.`, restore)
}

function ringOf(keys: readonly Uint8Array[]): Finding {
  const [first, ...others] = keys.map(masterKeyId)
  const more = others.length === 0 ? '' : ` ${others.join(' and ')} open too.`
  return ok('master-keys', `The key ${first} seals and opens.${more}`)
}
