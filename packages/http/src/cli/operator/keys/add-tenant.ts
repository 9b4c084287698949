import { commitTenants, loadTenants, tenantName, withTenant } from '@heirloom/adapters/keys'
import { walletOf } from '@heirloom/adapters/wallet'
import { wei } from '@heirloom/core'
import { hexToBytes } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { UsageError } from '../../arguments/command.ts'
import { readAmount } from '../../arguments/read-amounts.ts'
import type { TenantsCall } from './key-installation.ts'
import { withKeyInstallation } from './key-installation.ts'

/** Adds a tenant with a new wallet. */
export function addTenant(call: TenantsCall): Promise<number> {
  const { output, options, words } = call
  const name = readNewName(words.NAME)
  const limits = limitsOf(call)
  const dryRun = options['dry-run'] === true
  return withKeyInstallation(call, dryRun ? 'read' : 'change', async (installation) => {
    const { tenantSource: source, config, now } = installation
    const before = await loadTenants(source)
    refuseTaken(name, before.tenants)
    if (dryRun) {
      const line = `Dry run: the tenant ${name} would get a wallet and sealing keys of its own.`
      await output.result({ value: { dryRun, name }, lines: [line] })
      return 0
    }
    const key = generatePrivateKey()
    const { address } = walletOf(key)
    const tenant = { name, address, createdAt: now(), ...limits, walletKey: hexToBytes(key) }
    await commitTenants(source, before, withTenant(before.tenants, tenant))
    const money =
      config.chain.kind === 'embedded'
        ? 'The next start of the server gives it play money of the embedded chain.'
        : `Send ${address} money for its writes: it pays them itself.`
    const lines = [
      `The tenant ${name} has the wallet ${address}.`,
      `Its key is in ${source.store.place}, wrapped by the master key. A backup has the wrapped key; without the master key it is lost, with all money and tokens of the wallet.`,
      money,
      `Then start the server, and give the tenant an API key: heirloom api-key new ${name} --tenant ${name} --file FILE`,
    ]
    await output.result({ value: { dryRun, name, address }, lines })
    return 0
  })
}

function readNewName(name: string): string {
  if (tenantName.test(name)) return name
  throw new UsageError(
    'NAME must be 1 to 40 small letters, digits and hyphens, and begin with a letter or digit; default is the server itself.',
  )
}

function limitsOf({ options }: TenantsCall) {
  const { 'per-call': perCall, 'per-day': perDay } = options
  return {
    ...(perCall !== undefined && { perCall: `${wei(readAmount('--per-call', perCall))}` }),
    ...(perDay !== undefined && { perDay: `${wei(readAmount('--per-day', perDay))}` }),
  }
}

type Named = { readonly facts: { readonly name: string; readonly state: string } }

// An API key of a removed tenant must never act for another one of its name.
function refuseTaken(name: string, tenants: readonly Named[]): void {
  const taken = tenants.find(({ facts }) => facts.name === name)
  if (taken === undefined) return
  throw new UsageError(
    taken.facts.state === 'active'
      ? `There is a tenant ${name} already.`
      : `There was a tenant ${name}, and no other gets its name. Choose another name.`,
  )
}
