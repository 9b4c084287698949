import { writeFileSync } from 'node:fs'
import {
  type LoadedTenants,
  loadTenants,
  type OpenedTenant,
  type TenantFacts,
} from '@heirloom/adapters/keys'
import { wei } from '@heirloom/core'
import { bytesToHex } from 'viem'
import { UsageError } from '../../arguments/command.ts'
import { amountText, columns } from '../../terminal/value-text.ts'
import type { TenantsCall } from './key-installation.ts'
import { withKeyInstallation } from './key-installation.ts'

/** Finds a tenant by its name. @throws a `UsageError` when there is none */
export function findTenant({ tenants }: LoadedTenants, name: string): OpenedTenant {
  const found = tenants.find(({ facts }) => facts.name === name)
  if (found !== undefined) return found
  throw new UsageError(`There is no tenant ${name}. heirloom tenants list shows them all.`)
}

/** Lists the tenants. */
export function listTenants(call: TenantsCall): Promise<number> {
  return withKeyInstallation(call, 'read', async ({ tenantSource }) => {
    const { tenants } = await loadTenants(tenantSource)
    const facts = tenants.map((it) => it.facts)
    await call.output.result({
      value: { tenants: facts.map(encodeTenant) },
      lines: tenantLines(facts),
    })
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

function tenantLines(facts: readonly TenantFacts[]): readonly string[] {
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

/** Writes the key of the wallet of a tenant into a new file. */
export function writeTenantWallet(call: TenantsCall): Promise<number> {
  const { NAME: name } = call.words
  const { file: path } = call.options
  if (path === undefined || path === '') {
    throw new UsageError('heirloom tenants wallet needs --file FILE: a key is never printed.')
  }
  return withKeyInstallation(call, 'read', async ({ tenantSource }) => {
    const { facts, walletKey } = findTenant(await loadTenants(tenantSource), name)
    const { address, state } = facts
    if (call.options['dry-run'] !== true) writeNew(path, bytesToHex(walletKey))
    const lines = [
      `${path} has the key of ${address}. Whoever reads it has all that the wallet has.`,
      state === 'removed' ? forRemoved : forActive,
      'Destroy the file when it is not needed any more.',
    ]
    await call.output.result({ value: { name, address, file: path }, lines })
    return 0
  })
}

const forRemoved =
  'Move its tokens and its credit: HEIRLOOM_PRIVATE_KEY=$(cat FILE) heirloom transfer, or heirloom withdraw; its money with any wallet program.'

// Two programs that number the transactions of one wallet would replace each other's.
const forActive =
  'Use it only to open memories: HEIRLOOM_PRIVATE_KEY=$(cat FILE) heirloom download. The server numbers the transactions of the wallet itself until the tenant is removed.'

function writeNew(path: string, key: string): void {
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw new UsageError(
      `Cannot write ${path} (${Object(error).code}); FILE must be a new file of an existing folder.`,
    )
  }
}
