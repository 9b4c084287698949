import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  findSealingKey,
  type KeyStore,
  type LoadedKeys,
  loadKeys,
  type MasterKeys,
} from '@heirloom/adapters/keys'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { readAgentKey } from '../../config/key-text.ts'
import { loadMasterKeys, masterKeyPath } from '../../server/keys/master-keys.ts'
import { withKeyStore } from '../../server/keys/open-keys.ts'
import { agentFile, chainFile, firstUsedPart } from '../../server/whole-folder.ts'
import { checkTenants } from './check-tenants.ts'
import { type Finding, fail, ok, runCheck, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

/** The keys of an installation, if it has any, and the findings about them. */
export type Keys = {
  readonly wallet: PrivateKeyAccount | undefined
  readonly sealing: LoadedKeys | undefined
  readonly findings: readonly Finding[]
}

const restore = 'Restore it from a backup.'
const firstStart = 'The first start of a server creates it.'

/** Checks the keys that a server would read. Creates none. */
export async function checkKeys(installation: Installation): Promise<Keys> {
  let wallet: PrivateKeyAccount | undefined
  const agent = await runCheck('agent-key', restore, () => {
    const key = installation.config.agentKey ?? readStoredAgentKey(installation)
    wallet = key && privateKeyToAccount(key)
    return wallet
      ? ok('agent-key', `The agent wallet is ${wallet.address}.`)
      : missingAgent(installation)
  })
  let masters: MasterKeys | undefined
  const master = await runCheck('master-keys', restore, () => {
    masters = loadMasterKeys(installation.config, installation.folder)
    return masters ? mastersFound(masters) : missingMaster(installation)
  })
  let sealing: LoadedKeys | undefined
  const keys = await runCheck('sealing-keys', 'heirloom keys status lists them.', () =>
    withKeyStore(installation, async (store) => {
      if (masters === undefined) return skipped('sealing-keys', 'there are no master keys')
      sealing = await loadKeys({ store, masters })
      return sealing ? keysFound(sealing, store) : missingKeys(installation, store)
    }),
  )
  const tenants = await checkTenants(installation, { masters, sealing })
  return { wallet, sealing, findings: [agent, master, keys, ...tenants] }
}

function readStoredAgentKey({ folder, has }: Installation) {
  if (!has(agentFile)) return undefined
  return readAgentKey(agentFile, readFileSync(join(folder, agentFile), 'utf8'))
}

function missingAgent({ has, folder }: Installation): Finding {
  if (!has(chainFile)) return warn('agent-key', 'There is none yet.', firstStart)
  const sentence = `${agentFile} is missing, and ${join(folder, chainFile)} needs it.`
  return fail('agent-key', sentence, restore)
}

function mastersFound([first, ...others]: MasterKeys): Finding {
  const more = others.map(({ id }) => id).join(' and ')
  const also = more === '' ? '' : ` ${more} can unwrap them too.`
  return ok('master-keys', `The master key ${first.id} wraps the sealing keys.${also}`)
}

function missingMaster({ config, folder, has }: Installation): Finding {
  const needed = has('sealing.keys') ? 'sealing.keys' : firstUsedPart(folder)
  if (needed === undefined) return warn('master-keys', 'There is none yet.', firstStart)
  const sentence = `${masterKeyPath(config, folder)} is missing, and ${join(folder, needed)} needs it.`
  return fail('master-keys', sentence, restore)
}

function keysFound(keys: LoadedKeys, { place }: KeyStore): Finding {
  const live = keys.records.filter(({ facts }) => facts.state !== 'destroyed').length
  const current = findSealingKey(keys.records)?.facts
  if (current === undefined) {
    return fail('sealing-keys', 'No key seals.', 'Create one: heirloom keys new')
  }
  const since = new Date(current.createdAt).toISOString().slice(0, 10)
  const sentence = `${live} keys in ${place} open; ${current.id}, created on ${since}, seals.`
  return ok('sealing-keys', sentence)
}

function missingKeys({ folder }: Installation, { place }: KeyStore): Finding {
  const needed = firstUsedPart(folder)
  if (needed === undefined) return warn('sealing-keys', 'There are none yet.', firstStart)
  const sentence = `${place} is missing, and ${join(folder, needed)} needs it.`
  return fail('sealing-keys', sentence, restore)
}
