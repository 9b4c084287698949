import { command, UsageError, withValue } from '../arguments/command.ts'
import type { TenantsCall } from './keys/key-installation.ts'

const options = {
  'per-call': withValue(
    'AMOUNT',
    "With add: the spending limit of one write, as in 0.01ether. Default: the server's.",
  ),
  'per-day': withValue(
    'AMOUNT',
    "With add: the spending limit of one day (UTC). Default: the server's.",
  ),
  file: {
    type: 'string',
    value: 'FILE',
    about: 'With wallet: the new file for the key of the wallet.',
    file: true,
  },
  'dry-run': { type: 'boolean', about: 'Show what would be done; change nothing.' },
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before removing a tenant.' },
} as const

const actions = ['list', 'add', 'remove', 'wallet']

const words = [
  { name: 'ACTION', about: 'list, add, remove or wallet.', choices: actions },
  {
    name: 'NAME',
    about: 'The name of the tenant: small letters, digits and hyphens.',
    optional: true,
  },
] as const

/** Shows and changes the tenants of a server. */
export const tenants = command({
  about: 'Lists, adds or removes tenants: agents with wallets and keys of their own in one server.',
  more: [
    'Reads the same environment as the server. list and wallet may run beside the server; add and remove need its data folder, so stop it first, and start it again afterwards. Servers that share a database have the tenants in common.',
    'add makes a wallet, whose key is stored wrapped by the master key, and lets the server seal under keys of its own for the tenant. Send the wallet money for its writes, and give the tenant an API key with heirloom api-key new --tenant.',
    'remove erases a tenant: it destroys its sealing keys, which makes every memory under them unreadable forever, and ends its API keys. It says first what that means, and what the wallet still has. The key of the wallet stays.',
    'wallet writes the key of the wallet into a file: to open the memories of a tenant, and to move the tokens and the money of a removed one.',
  ],
  words,
  options,
  examples: {
    'List the tenants and their wallets:': 'heirloom tenants list',
    'Show whether a tenant can be added:': 'heirloom tenants add shop --per-day 0.1ether --dry-run',
  },
  isLocal: true,
  run: async (call) => {
    const { ACTION: action, NAME: name } = call.words
    requireFitting(action, name)
    return runAction(action, call)
  },
})

/** Requires a NAME of the actions on one tenant, and none of the list. @throws a `UsageError` */
function requireFitting(action: string, name: string | undefined): void {
  if (action === 'list') {
    if (name === undefined) return
    throw new UsageError('heirloom tenants list takes no NAME: it lists all tenants.')
  }
  if (name !== undefined) return
  const what =
    action === 'add'
      ? 'small letters, digits and hyphens, such as shop'
      : 'heirloom tenants list shows them'
  throw new UsageError(`heirloom tenants ${action} needs a NAME: ${what}.`)
}

// Lazy imports: one action does not need the code of the others.
async function runAction(action: string, call: TenantsCall): Promise<number> {
  switch (action) {
    case 'add':
      return (await import('./keys/add-tenant.ts')).addTenant(call)
    case 'remove':
      return (await import('./keys/remove-tenant.ts')).removeTenant(call)
    case 'wallet':
      return (await import('./keys/list-tenants.ts')).writeTenantWallet(call)
    default:
      return (await import('./keys/list-tenants.ts')).listTenants(call)
  }
}
