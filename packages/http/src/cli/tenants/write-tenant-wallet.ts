import { writeFileSync } from 'node:fs'
import { loadTenants } from '@heirloom/adapters/keys'
import { bytesToHex } from 'viem'
import { UsageError } from '../arguments/command.ts'
import { withKeyInstallation } from '../keys/key-installation.ts'
import { findTenant } from './find-tenant.ts'
import type { TenantsCall } from './tenants.ts'

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
