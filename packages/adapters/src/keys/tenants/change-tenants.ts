import { Failure } from '@heirloom/core'
import type { MasterKeys } from '../local-master-key.ts'
import { keyLength } from '../wrapped-record.ts'
import { type OpenedTenant, openTenant, type TenantState, wrapTenant } from './tenant-record.ts'
import type { TenantStore } from './tenant-store.ts'

/** A tenant store, and the master keys that unwrap its records. */
export type TenantSource = { readonly store: TenantStore; readonly masters: MasterKeys }

/** The tenants of a store, all opened. */
export type LoadedTenants = { readonly epoch: number; readonly tenants: readonly OpenedTenant[] }

/**
 * Reads and opens all tenants of a store.
 *
 * @throws `keys/unusable` when the document is damaged, or a record cannot be opened
 */
export async function loadTenants({ store, masters }: TenantSource): Promise<LoadedTenants> {
  const document = await store.read()
  if (document === undefined) return { epoch: 0, tenants: [] }
  const { epoch, records } = document
  const tenants: OpenedTenant[] = []
  for (const record of records) {
    const opened = await openTenant(record, masters)
    if (opened === 'no-master') throw unopened(store, record.name, record.master)
    if (opened === 'altered' || record.epoch !== epoch) throw altered(store, record.name)
    tenants.push(opened)
  }
  return { epoch, tenants }
}

const altered = ({ place }: TenantStore, name: string) =>
  new Failure('keys/unusable', {
    problem: `in ${place} the record of ${name} was altered or comes from another file; restore the whole file from one backup`,
  })

const unopened = ({ place }: TenantStore, name: string, master: string) =>
  new Failure('keys/unusable', {
    problem: `none of the given master keys opens the record of ${name} in ${place}; it is wrapped by ${master}, so give that master key too`,
  })

/**
 * Wraps all tenants under the first master key and commits them; they replace the loaded ones.
 *
 * @throws `keys/changed` when another process committed first
 */
export async function commitTenants(
  { store, masters: [master] }: TenantSource,
  before: LoadedTenants,
  tenants: readonly OpenedTenant[],
): Promise<LoadedTenants> {
  const epoch = before.epoch + 1
  const next = tenants.map(({ facts, ...it }) => ({ ...it, facts: { ...facts, epoch } }))
  const records = await Promise.all(next.map((it) => wrapTenant(it, master)))
  if (!(await store.commit({ epoch, records }))) throw new Failure('keys/changed', {})
  const rewrapped = ({ facts, ...it }: OpenedTenant) => ({
    ...it,
    facts: { ...facts, master: master.id },
  })
  return { epoch, tenants: next.map(rewrapped) }
}

/** A new tenant, with the key of its wallet. */
export type NewTenant = Pick<
  OpenedTenant['facts'],
  'name' | 'address' | 'createdAt' | 'perCall' | 'perDay'
> &
  Pick<OpenedTenant, 'walletKey'>

/** Returns the tenants with a new one. */
export function withTenant(
  tenants: readonly OpenedTenant[],
  { walletKey, ...facts }: NewTenant,
): readonly OpenedTenant[] {
  if (walletKey.length !== keyLength) throw new RangeError('The key of a wallet has 32 bytes.')
  return [...tenants, { walletKey, facts: { ...facts, state: 'active', epoch: 0, master: '' } }]
}

/** Returns the tenants with another state of one. */
export const withTenantState = (
  tenants: readonly OpenedTenant[],
  name: string,
  state: TenantState,
): readonly OpenedTenant[] =>
  tenants.map((it) => (it.facts.name === name ? { ...it, facts: { ...it.facts, state } } : it))
