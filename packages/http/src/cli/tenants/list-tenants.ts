import { loadTenants, type TenantFacts } from '@heirloom/adapters/keys'
import { wei } from '@heirloom/core'
import { withKeyInstallation } from '../keys/key-installation.ts'
import { amountText, columns } from '../terminal/value-text.ts'
import type { TenantsCall } from './tenants.ts'

/** Lists the tenants. */
export function listTenants(call: TenantsCall): Promise<number> {
  return withKeyInstallation(call, 'read', async ({ tenantSource }) => {
    const { tenants } = await loadTenants(tenantSource)
    const facts = tenants.map((it) => it.facts)
    await call.output.result({ value: { tenants: facts.map(encodeTenant) }, lines: linesOf(facts) })
    return 0
  })
}

const encodeTenant = ({ name, address, state, createdAt, perCall, perDay }: TenantFacts) => ({
  name,
  address,
  state,
  createdAt,
  maxSpendPerCall: perCall ?? null,
  maxSpendPerDay: perDay ?? null,
})

function linesOf(facts: readonly TenantFacts[]): readonly string[] {
  if (facts.length === 0) {
    return [
      'There are no tenants: the server acts with its own wallet alone. See heirloom tenants add.',
    ]
  }
  const limit = (amount: string | undefined) =>
    amount === undefined ? "the server's" : amountText(wei(amount))
  return columns([
    ['NAME', 'STATE', 'WALLET', 'CREATED', 'A CALL', 'A DAY'],
    ...facts.map(({ name, state, address, createdAt, perCall, perDay }) => [
      ...[name, state, address, new Date(createdAt).toISOString().slice(0, 10)],
      ...[limit(perCall), limit(perDay)],
    ]),
  ])
}
