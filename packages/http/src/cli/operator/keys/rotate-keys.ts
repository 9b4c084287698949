import {
  commitKeys,
  commitTenants,
  findSealingKey,
  type LoadedKeys,
  loadTenants,
  requireOpened,
  type TenantSource,
  withNewKey,
} from '@heirloom/adapters/keys'
import type { KeysCall } from './key-installation.ts'
import { withKeyInstallation } from './key-installation.ts'

/** Wraps all sealing keys under the first master key, in one atomic commit. */
export function rotateKeys(call: KeysCall): Promise<number> {
  const dryRun = call.options['dry-run'] === true
  return withKeyInstallation(call, dryRun ? 'read' : 'change', async (installation, seen) => {
    const { source, tenantSource } = installation
    const before = requireOpened(seen, source)
    const wallets = await rewrapTenants(tenantSource, dryRun)
    const [{ id: master }, ...others] = source.masters
    const old = before.records.filter(({ facts }) => facts.master !== master)
    if (!dryRun && old.length > 0) await commitKeys(source, before, before.records)
    const ids = old.map(({ facts }) => facts.id)
    const report = dryRun ? dryRunLines(master, ids) : resultLines(master, before, ids)
    await call.output.result({
      value: { dryRun, master, rewrapped: ids, ...(wallets.length > 0 && { tenants: wallets }) },
      lines: [
        ...report,
        ...tenantLines(wallets, dryRun),
        ...(dryRun ? [] : retirementLines(others)),
      ],
    })
    return 0
  })
}

/** Wraps the wallets of the tenants under the first master key, and returns the names of those. */
async function rewrapTenants(source: TenantSource, dryRun: boolean): Promise<readonly string[]> {
  const before = await loadTenants(source)
  const [{ id: master }] = source.masters
  const old = before.tenants.filter(({ facts }) => facts.master !== master)
  if (!dryRun && old.length > 0) await commitTenants(source, before, before.tenants)
  return old.map(({ facts }) => facts.name)
}

const tenantLines = (names: readonly string[], dryRun: boolean): readonly string[] =>
  names.length === 0
    ? []
    : [
        `${dryRun ? 'It would wrap' : 'It wraps'} the wallets of the tenants ${names.join(', ')} too.`,
      ]

const dryRunLines = (master: string, ids: readonly string[]): readonly string[] => [
  `Dry run: the master key ${master} would wrap ${ids.length} more sealing keys.`,
  ...ids.map((id) => `  ${id}`),
]

function resultLines(
  master: string,
  { records }: LoadedKeys,
  ids: readonly string[],
): readonly string[] {
  const since = ids.length === 0 ? 'already; nothing was changed' : 'now'
  return [`The master key ${master} wraps all ${records.length} sealing keys ${since}.`]
}

function retirementLines(others: readonly { readonly id: string }[]): readonly string[] {
  if (others.length === 0) return []
  const ids = others.map(({ id }) => id).join(', ')
  return [
    `No key here is wrapped by ${ids} any more: remove it from MASTER_KEYS, or from the file, and restart the servers.`,
    'With it and an older copy of the key file, all memories under these keys can still be opened.',
  ]
}

/** Creates a new sealing key. The earlier one can still open memories. */
export function createKey(call: KeysCall): Promise<number> {
  const dryRun = call.options['dry-run'] === true
  return withKeyInstallation(call, dryRun ? 'read' : 'change', async ({ source, now }, seen) => {
    const before = requireOpened(seen, source)
    const closedToSealing = findSealingKey(before.records)?.facts.id
    if (dryRun) {
      const line = `Dry run: a new key would seal, and ${closedToSealing} would only open.`
      await call.output.result({ value: { dryRun: true, closedToSealing }, lines: [line] })
      return 0
    }
    const after = await commitKeys(source, before, withNewKey(before.records, { now: now() }))
    const made = findSealingKey(after.records)?.facts.id
    const line = `The key ${made} seals from now on; ${closedToSealing} only opens.`
    await call.output.result({ value: { dryRun: false, made, closedToSealing }, lines: [line] })
    return 0
  })
}
