import {
  commitKeys,
  type InspectedRecord,
  requireOpened,
  tombstoneOf,
  withMastersGone,
} from '@heirloom/adapters/keys'
import { UsageError } from '../../arguments/command.ts'
import { promptWord } from '../../terminal/prompt.ts'
import { canPrompt } from '../../terminal/terminal.ts'
import {
  destroySelected,
  keyNames,
  mastersOf,
  remainingSteps,
  type Selection,
  tokensUnder,
  warningOf,
} from './destroy-selected.ts'
import type { KeysCall } from './key-installation.ts'
import { readTokensByKey, type TokensByKey, withKeyInstallation } from './key-installation.ts'
import { countText } from './show-key-status.ts'

/** Destroys sealing keys, or with `--old-masters-gone` records that their destruction is complete. */
export function destroyKeys(call: KeysCall): Promise<number> {
  const ids = readKeyIds(call.words.ID)
  return withKeyInstallation(call, 'change', async (installation, seen) => {
    const isSelected = ({ facts }: InspectedRecord) => ids.includes(facts.id)
    const others = seen.records.filter((record) => !isSelected(record))
    // A key that cannot be opened can still be destroyed; the others must open, to be wrapped again.
    const rest = requireOpened({ ...seen, records: others }, installation.source)
    const selected = seen.records.filter(isSelected).map(({ facts, opened }) => {
      return typeof opened === 'object' ? opened : tombstoneOf(facts, installation.now())
    })
    const before = { epoch: seen.epoch, records: [...selected, ...rest.records] }
    const selection: Selection = { installation, ids, before }
    return call.options['old-masters-gone']
      ? confirmMastersGone(call, selection)
      : destroy(call, selection)
  })
}

function readKeyIds(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.every((id) => /^[0-9a-f]{32}$/.test(id))) return ids
  throw new UsageError(
    'ID must be the 32 hexadecimal digits that heirloom keys status shows, or several separated by commas.',
  )
}

async function destroy(call: KeysCall, selection: Selection): Promise<number> {
  const { output, options } = call
  const { installation, ids } = selection
  const memories = await readTokensByKey(installation)
  requireKnown(selection, memories)
  const tokens = tokensUnder(ids, memories)
  const warning = warningOf(selection, memories)
  if (options['dry-run']) {
    const lines = [`Dry run: nothing is destroyed. ${warning} --json lists every token.`]
    const value = { dryRun: true, ids, tokens, notHere: memories.notHere }
    await output.result({ value, lines })
    return 0
  }
  await output.note(warning)
  await confirmDestruction(call, ids)
  const destroyed = await destroySelected(output, selection, memories)
  const { gone, notHere, masters, sealing } = destroyed
  const result = `Destroyed ${keyNames(ids)}: ${countText(gone.length)} unreadable forever. The key ${sealing} seals.`
  await output.result({
    value: { destroyed: ids, tokens: gone, notHere, isComplete: masters.length === 0, masters },
    lines: [result, ...remainingSteps(selection, masters)],
  })
  return 0
}

function requireKnown({ ids, before }: Selection, memories: TokensByKey): void {
  const known = new Set([...before.records.map(({ facts }) => facts.id), ...memories.byKey.keys()])
  if (ids.every((id) => known.has(id))) return
  throw new UsageError('No such key. heirloom keys status lists them all.')
}

async function confirmDestruction({ terminal, output, options }: KeysCall, ids: readonly string[]) {
  if (options.yes) return
  if (output.json || !canPrompt(terminal)) {
    throw new UsageError(
      'Destroying a key cannot be undone. Pass --yes to confirm, or run the command on a terminal.',
    )
  }
  const word = 'destroy'
  await promptWord(terminal, { question: `Type ${word} to destroy ${keyNames(ids)}`, word })
}

async function confirmMastersGone(
  { output, options }: KeysCall,
  selection: Selection,
): Promise<number> {
  const { installation, ids, before } = selection
  const destroyed = before.records.filter(({ facts }) => ids.includes(facts.id))
  if (destroyed.length < ids.length || destroyed.some(({ facts }) => facts.state !== 'destroyed')) {
    throw new UsageError('--old-masters-gone is for destroyed keys only; destroy it first.')
  }
  const inUse = [
    ...installation.source.masters.map(({ id }) => id),
    ...before.records.map(({ facts }) => facts.master),
    ...installation.tenants.map(({ master }) => master),
  ]
  const left = mastersOf(selection).filter((id) => inUse.includes(id))
  if (left.length > 0) {
    throw new UsageError(
      `The master key ${left.join(', ')} wrapped it and is still in use: put a new one before it, run heirloom keys rotate, and remove it from MASTER_KEYS.`,
    )
  }
  const dryRun = options['dry-run'] === true
  if (!dryRun) {
    await commitKeys(installation.source, before, withMastersGone(before.records, ids))
  }
  const report = `The destruction of ${keyNames(ids)} is complete, provided that no other copy exists.`
  const line = dryRun ? `Dry run: nothing is recorded. ${report}` : report
  await output.result({ value: { dryRun, ids, isComplete: true }, lines: [line] })
  return 0
}
