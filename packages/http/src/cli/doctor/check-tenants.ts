import {
  defaultTenant,
  type LoadedKeys,
  loadTenants,
  type MasterKeys,
  type TenantStore,
} from '@heirloom/adapters/keys'
import { withKeyStore } from '../../server/keys/open-keys.ts'
import { type Finding, fail, ok, runCheck } from './finding.ts'
import type { Installation } from './installation.ts'

const name = 'tenants'

type Keys = {
  readonly masters: MasterKeys | undefined
  readonly sealing: LoadedKeys | undefined
}

/** Checks the wallets and the keys of the tenants; finds nothing where there are none. */
export async function checkTenants(
  installation: Installation,
  { masters, sealing }: Keys,
): Promise<readonly Finding[]> {
  if (masters === undefined || sealing === undefined) return []
  const sealed = sealing.records.filter(({ facts }) => facts.tenant !== defaultTenant)
  let hasAny = sealed.length > 0
  const finding = await runCheck(name, 'Restore it from a backup.', () =>
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
