import type { LoadedTenants, OpenedTenant } from '@heirloom/adapters/keys'
import { UsageError } from '../arguments/command.ts'

/** Finds a tenant by its name. @throws a `UsageError` when there is none */
export function findTenant({ tenants }: LoadedTenants, name: string): OpenedTenant {
  const found = tenants.find(({ facts }) => facts.name === name)
  if (found !== undefined) return found
  throw new UsageError(`There is no tenant ${name}. heirloom tenants list shows them all.`)
}
