import { commitKeys, type LoadedKeys, loaded } from '@heirloom/adapters/keys'
import { withKeySite } from './key-installation.ts'
import type { KeysCall } from './keys.ts'

/** Wraps all sealing keys under the first master key, in one step. */
export function rotateKeys(call: KeysCall): Promise<number> {
  const isRehearsed = call.options['dry-run'] === true
  return withKeySite(call, isRehearsed ? 'look' : 'change', async ({ source }, seen) => {
    const before = loaded(seen, source)
    const [{ id: master }, ...others] = source.masters
    const old = before.records.filter(({ facts }) => facts.master !== master)
    if (!isRehearsed && old.length > 0) await commitKeys(source, before, before.records)
    const ids = old.map(({ facts }) => facts.id)
    const said = isRehearsed ? rehearsal(master, ids) : report(master, before, ids)
    await call.output.answer({
      value: { dryRun: isRehearsed, master, rewrapped: ids },
      lines: [...said, ...(isRehearsed ? [] : retirement(others))],
    })
    return 0
  })
}

const rehearsal = (master: string, ids: readonly string[]): readonly string[] => [
  `Dry run: the master key ${master} would wrap ${ids.length} more sealing keys.`,
  ...ids.map((id) => `  ${id}`),
]

function report(
  master: string,
  { records }: LoadedKeys,
  ids: readonly string[],
): readonly string[] {
  const since = ids.length === 0 ? 'already; nothing was changed' : 'now'
  return [`The master key ${master} wraps all ${records.length} sealing keys ${since}.`]
}

function retirement(others: readonly { readonly id: string }[]): readonly string[] {
  if (others.length === 0) return []
  const ids = others.map(({ id }) => id).join(', ')
  return [
    `Nothing here needs ${ids} any more: take it out of MASTER_KEYS, or out of the file, and start the servers again.`,
    'Whoever has it and an older copy of the key file can still open all that those keys sealed.',
  ]
}
