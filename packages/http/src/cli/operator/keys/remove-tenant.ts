import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { countUnfinished } from '@heirloom/adapters/internal/job-queries'
import {
  commitTenants,
  type LoadedTenants,
  loadTenants,
  type OpenedTenant,
  requireOpened,
  type TenantSource,
  withTenantState,
} from '@heirloom/adapters/keys'
import type { Hex } from '@heirloom/core'
import { removeKeysOf } from '../../../server/api-keys/key-file.ts'
import { jobFile, openJobStore } from '../../../server/open-job-store.ts'
import { UsageError } from '../../arguments/command.ts'
import { promptWord } from '../../terminal/prompt.ts'
import { canPrompt } from '../../terminal/terminal.ts'
import {
  destroySelected,
  remainingSteps,
  type Selection,
  tokensUnder,
  warningOf,
} from './destroy-selected.ts'
import type { TenantsCall } from './key-installation.ts'
import {
  type KeyInstallation,
  readTokensByKey,
  type TokensByKey,
  withKeyInstallation,
} from './key-installation.ts'
import { findTenant } from './list-tenants.ts'
import { countText } from './show-key-status.ts'
import { holdingsText, holdingsValue, isEmpty, readTenantHoldings } from './tenant-holdings.ts'

/** A tenant that is to be removed, and what that would mean. */
type Removal = {
  readonly installation: KeyInstallation
  readonly tenant: OpenedTenant
  readonly selection: Selection
  readonly memories: TokensByKey
  readonly left: Awaited<ReturnType<typeof readTenantHoldings>>
}

/** Erases a tenant: destroys its sealing keys, and ends its API keys. Keeps its wallet. */
export function removeTenant(call: TenantsCall): Promise<number> {
  return withKeyInstallation(call, 'change', async (installation, seen) => {
    const { tenantSource, source } = installation
    const tenant = findTenant(await loadTenants(tenantSource), call.words.NAME)
    const { name, address } = tenant.facts
    const before = requireOpened(seen, source)
    const own = before.records.filter(({ facts }) => facts.tenant === name)
    const ids = own.filter(({ facts }) => facts.state !== 'destroyed').map(({ facts }) => facts.id)
    const selection: Selection = { installation, ids, before, erased: name }
    const memories = await readTokensByKey(installation)
    const left = await readTenantHoldings(installation, address)
    const removal = { installation, tenant, selection, memories, left }
    if (call.options['dry-run']) return reportDryRun(call, removal)
    await call.output.note(warningText(removal))
    await confirmRemoval(call)
    return erase(call, removal)
  })
}

const warningText = ({ tenant, selection, memories, left }: Removal): string => {
  const { name, address } = tenant.facts
  const lost =
    selection.ids.length === 0
      ? 'Its sealing keys are destroyed already.'
      : warningOf(selection, memories)
  const wallet = left === undefined ? '' : ` Its wallet ${address} has ${holdingsText(left)}.`
  return `Removing the tenant ${name}: ${lost}${wallet}`
}

async function reportDryRun({ output }: TenantsCall, removal: Removal): Promise<number> {
  const { tenant, selection, memories, left } = removal
  const { name, address } = tenant.facts
  const tokens = tokensUnder(selection.ids, memories)
  await output.result({
    value: {
      dryRun: true,
      name,
      address,
      ids: selection.ids,
      tokens,
      left: left && holdingsValue(left),
    },
    lines: [`Dry run: nothing is removed. ${warningText(removal)}`],
  })
  return 0
}

async function confirmRemoval({ terminal, output, options, words }: TenantsCall): Promise<void> {
  if (options.yes) return
  if (output.json || !canPrompt(terminal)) {
    throw new UsageError(
      'Removing a tenant cannot be undone. Pass --yes to confirm, or run the command on a terminal.',
    )
  }
  const { NAME: word } = words
  await promptWord(terminal, { question: `Type ${word} to remove the tenant`, word })
}

async function erase(call: TenantsCall, removal: Removal): Promise<number> {
  const { output, terminal } = call
  const { installation, tenant, selection, memories, left } = removal
  const { tenantSource } = installation
  const { name, address } = tenant.facts
  // From now on no server makes it a key, so what is destroyed next stays the last one.
  await setState(tenantSource, name, 'closing')
  const file = terminal.env.API_KEYS_FILE
  const revoked = file ? removeKeysOf(file, name) : []
  const { gone, masters } =
    selection.ids.length === 0
      ? { gone: [], masters: [] }
      : await destroySelected(output, selection, memories)
  const unfinished = await unfinishedWrites(installation, address)
  if (unfinished === 0) await setState(tenantSource, name, 'removed')
  const lines = [
    `Removed the tenant ${name}: ${countText(gone.length)} unreadable forever.`,
    revoked.length === 0
      ? 'No API key of it was in API_KEYS_FILE.'
      : `Revoked: ${revoked.join(', ')}.`,
    ...unfinishedLines(name, unfinished),
    ...leftLines(removal),
    ...remainingSteps(selection, masters),
  ]
  const value = {
    name,
    address,
    destroyed: selection.ids,
    tokens: gone,
    revoked,
    unfinished,
    masters,
  }
  await output.result({ value: { ...value, left: left && holdingsValue(left) }, lines })
  return unfinished === 0 ? 0 : 1
}

async function setState(
  source: TenantSource,
  name: string,
  state: 'closing' | 'removed',
): Promise<LoadedTenants> {
  const before = await loadTenants(source)
  const { facts } = findTenant(before, name)
  if (facts.state === state || facts.state === 'removed') return before
  return commitTenants(source, before, withTenantState(before.tenants, name, state))
}

/** Returns the number of writes of a wallet that have not ended. */
async function unfinishedWrites({ config, folder }: KeyInstallation, wallet: Hex): Promise<number> {
  if (config.databaseUrl === undefined && !existsSync(join(folder, jobFile))) return 0
  const store = await openJobStore(config, folder)
  try {
    return await countUnfinished(store, wallet)
  } finally {
    await store.close()
  }
}

const unfinishedLines = (name: string, unfinished: number): readonly string[] =>
  unfinished === 0
    ? []
    : [
        `${unfinished} of its writes have not ended, so its wallet may still pay: start the server until they have, and run heirloom tenants remove ${name} again.`,
      ]

function leftLines({ tenant, left }: Removal): readonly string[] {
  const { name, address } = tenant.facts
  if (left === undefined || isEmpty(left)) return [`Its wallet ${address} is empty.`]
  return [
    `Its wallet ${address} still has ${holdingsText(left)}. Its key stays: heirloom tenants wallet ${name} --file FILE writes it into a file, to move that.`,
  ]
}
