import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  defaultTenant,
  findSealingKey,
  type KeyStore,
  type LoadedKeys,
  loadKeys,
  loadTenants,
  type MasterKeys,
  type TenantStore,
} from '@heirloom/adapters/keys'
import { type AgentWallet, findAgentWallet } from '../../../server/keys/agent-wallet.ts'
import { loadMasterKeys, masterKeyPath } from '../../../server/keys/master-keys.ts'
import { withKeyStore } from '../../../server/keys/open-keys.ts'
import { agentFile, chainFile, firstUsedPart } from '../../../server/whole-folder.ts'
import { type Finding, fail, keepData, ok, runCheck, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

/** The keys of an installation, if it has any, and the findings about them. */
export type Keys = {
  /** The agent wallet, whose service is to be closed. */
  readonly agent: AgentWallet | undefined
  /** False when the agent wallet failed its check. */
  readonly canSign: boolean
  readonly sealing: LoadedKeys | undefined
  readonly findings: readonly Finding[]
}

// No backup holds these keys.
const putBack = 'Put it back from where you keep it; no backup holds it.'
const firstStart = 'The first start of a server creates it.'

/** Checks the keys that a server would read. Creates none. */
export async function checkKeys(installation: Installation): Promise<Keys> {
  const { config, folder } = installation
  let found: AgentWallet | undefined
  const agent = await runCheck('agent-key', agentAdvice(config), async () => {
    found = findAgentWallet(config, folder)
    if (found === undefined) return missingAgent(installation)
    return found.service === undefined ? ok('agent-key', of(found)) : checkService(found)
  })
  let masters: MasterKeys | undefined
  const master = await runCheck('master-keys', putBack, () => {
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
  const canSign = agent.level !== 'fail'
  return { agent: found, canSign, sealing, findings: [agent, master, keys, ...tenants] }
}

const agentAdvice = ({ keyService }: Installation['config']): string =>
  keyService === undefined ? putBack : 'Check the key service, AGENT_KEY_SERVICE and AGENT_ADDRESS.'

const of = ({ wallet }: AgentWallet) => `The agent wallet is ${wallet.address}.`

/** Has the key service sign once, and compares who signed. */
async function checkService(agent: AgentWallet): Promise<Finding> {
  await agent.service?.check()
  const startedAt = performance.now()
  await agent.service?.sign(randomBytes(32))
  const took = Math.ceil(performance.now() - startedAt)
  return ok('agent-key', `${of(agent)} Its key service signs for it, in ${took} ms.`)
}

function missingAgent({ has, folder }: Installation): Finding {
  if (!has(chainFile)) return warn('agent-key', 'There is none yet.', firstStart)
  const sentence = `${agentFile} is missing, and ${join(folder, chainFile)} needs it.`
  return fail('agent-key', sentence, putBack)
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
  return fail('master-keys', sentence, putBack)
}

function keysFound(keys: LoadedKeys, { place }: KeyStore): Finding {
  const live = keys.records.filter(({ facts }) => facts.state !== 'destroyed').length
  const current = findSealingKey(keys.records)?.facts
  if (current === undefined) {
    return fail('sealing-keys', 'No key seals.', 'Create one: heirloom keys new')
  }
  const since = new Date(current.createdAt).toISOString().slice(0, 10)
  const sentence = `The keys in ${place} open (${live}); ${current.id}, created on ${since}, seals.`
  return ok('sealing-keys', sentence)
}

function missingKeys({ config, folder }: Installation, { place }: KeyStore): Finding {
  const needed = firstUsedPart(folder)
  if (needed === undefined) return warn('sealing-keys', 'There are none yet.', firstStart)
  const sentence = `${place} is missing, and ${join(folder, needed)} needs it.`
  const advice =
    config.databaseUrl === undefined
      ? 'Restore it from a backup.'
      : 'Set DATABASE_URL to the database of before; if it is, restore that from a backup.'
  return fail('sealing-keys', sentence, advice)
}

const name = 'tenants'

type TenantKeys = {
  readonly masters: MasterKeys | undefined
  readonly sealing: LoadedKeys | undefined
}

/** Checks the wallets and the keys of the tenants; finds nothing where there are none. */
async function checkTenants(
  installation: Installation,
  { masters, sealing }: TenantKeys,
): Promise<readonly Finding[]> {
  if (masters === undefined || sealing === undefined) return []
  const sealed = sealing.records.filter(({ facts }) => facts.tenant !== defaultTenant)
  let hasAny = sealed.length > 0
  const finding = await runCheck(name, keepData, () =>
    withKeyStore(installation, async (_, store) => {
      hasAny ||= (await store.read()) !== undefined
      return compare({ store, masters, sealing })
    }),
  )
  return hasAny ? [finding] : []
}

type Compared = {
  readonly store: TenantStore
  readonly masters: MasterKeys
  readonly sealing: LoadedKeys
}

async function compare({ store, masters, sealing }: Compared): Promise<Finding> {
  const { tenants } = await loadTenants({ store, masters })
  const names = tenants.map(({ facts }) => facts.name)
  const known = [defaultTenant, ...names]
  const lost = sealing.records.filter(
    ({ facts }) => facts.state !== 'destroyed' && !known.includes(facts.tenant),
  )
  if (lost.length > 0) {
    const of = [...new Set(lost.map(({ facts }) => facts.tenant))].join(', ')
    return fail(name, `${store.place} lacks the wallets of ${of}.`, 'Restore it from a backup.')
  }
  const half = tenants.find(
    ({ facts: { name: of, state } }) =>
      state === 'closing' || (state === 'removed' && hasKeys(sealing, of)),
  )
  if (half !== undefined) {
    const { facts } = half
    const advice = `Run heirloom tenants remove ${facts.name} again.`
    return fail(name, `The removal of the tenant ${facts.name} is not complete.`, advice)
  }
  const active = tenants.filter(({ facts }) => facts.state === 'active')
  const erased = active.find(
    ({ facts }) => hadKeys(sealing, facts.name) && !hasKeys(sealing, facts.name),
  )
  if (erased !== undefined) {
    const { facts } = erased
    const advice = `Remove it: heirloom tenants remove ${facts.name}`
    return fail(name, `All sealing keys of the tenant ${facts.name} were destroyed.`, advice)
  }
  return ok(name, `The wallets of ${active.length} tenants in ${store.place} open.`)
}

/** Returns whether a tenant ever had a key; a new one gets its first at the next start. */
const hadKeys = ({ records }: LoadedKeys, tenant: string): boolean =>
  records.some(({ facts }) => facts.tenant === tenant)

const hasKeys = ({ records }: LoadedKeys, tenant: string): boolean =>
  records.some(({ facts }) => facts.tenant === tenant && facts.state !== 'destroyed')
