import { setTimeout } from 'node:timers/promises'
import {
  commitKeys,
  findSealingKey,
  type InspectedRecord,
  type LoadedKeys,
  requireOpened,
  tombstoneOf,
  withDestroyed,
  withMastersGone,
  withNewKey,
} from '@heirloom/adapters/keys'
import type { TokenId } from '@heirloom/core'
import { keyLease, refreshInterval } from '../../server/keys/open-keys.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Line } from '../terminal/output.ts'
import { promptWord } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'
import {
  type KeyInstallation,
  readTokensByKey,
  type TokensByKey,
  withKeyInstallation,
} from './key-installation.ts'
import type { KeysCall } from './keys.ts'
import { countText, tokenList } from './show-key-status.ts'

/** The longest time from sealing a memory to minting its token, in milliseconds. */
const longestMint = 30_000

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

type Selection = {
  readonly installation: KeyInstallation
  readonly ids: readonly string[]
  readonly before: LoadedKeys
}

async function destroy(call: KeysCall, selection: Selection): Promise<number> {
  const { output, options } = call
  const { installation, ids } = selection
  const memories = await readTokensByKey(installation)
  requireKnown(selection, memories)
  const tokens = tokensUnder(ids, memories)
  const warning = `${countText(tokens.length)} sealed under ${keyNames(ids)} and will be unreadable forever: ${tokenList(tokens)}.${notHereText(selection, memories)}`
  if (options['dry-run']) {
    const lines = [`Dry run: nothing is destroyed. ${warning}`]
    const value = { dryRun: true, ids, tokens, notHere: memories.notHere }
    await output.result({ value, lines })
    return 0
  }
  await output.note(warning)
  await confirmDestruction(call, ids)
  const unused = await stopSealing(selection)
  const { notHere, ...last } = installation.isShared
    ? await readTokensByKey(installation)
    : memories
  const gone = tokensUnder(ids, last)
  const destroyed = withDestroyed(unused.records, ids, { now: installation.now() })
  const after = await commitKeys(installation.source, unused, destroyed)
  if (installation.isShared) {
    // The other servers drop the keys when they read them again.
    const seconds = (2 * refreshInterval) / 1000
    await output.note(`Destroyed. Waiting ${seconds} s until the other servers drop the key too.`)
    await setTimeout(2 * refreshInterval)
  }
  const masters = mastersOf({ ...selection, before: after })
  const sealing = findSealingKey(after.records)?.facts.id
  const result = `Destroyed ${keyNames(ids)}: ${countText(gone.length)} unreadable forever. The key ${sealing} seals.`
  await output.result({
    value: { destroyed: ids, tokens: gone, notHere, isComplete: masters.length === 0, masters },
    lines: [result, ...remainingSteps(selection, masters)],
  })
  return 0
}

const keyNames = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(', ')}`

const tokensUnder = (
  ids: readonly string[],
  { byKey }: Pick<TokensByKey, 'byKey'>,
): readonly TokenId[] => ids.flatMap((id) => byKey.get(id) ?? [])

/** Says that memories of servers with the same database may be under the keys too. */
function notHereText(
  { installation, ids }: Selection,
  { notHere }: Pick<TokensByKey, 'notHere'>,
): string {
  if (!installation.isShared || notHere === 0) return ''
  const number = notHere === 1 ? '1 more memory' : `${notHere} more memories`
  return ` ${number} of this wallet may be sealed under ${ids.length === 1 ? 'it' : 'them'} and will then be unreadable too: not stored here. To list those, stop each other server in turn, and run heirloom keys destroy ${ids.join(',')} --dry-run with its DATA_DIR.`
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

/**
 * Returns the keys once no server seals under the selected ones any more. Servers that share the
 * database go on sealing under a key for a while after it was replaced.
 */
async function stopSealing({ installation, ids, before }: Selection): Promise<LoadedKeys> {
  if (!installation.isShared) return before
  const { source, now } = installation
  const sealing = findSealingKey(before.records)
  const isCurrent = sealing === undefined || ids.includes(sealing.facts.id)
  const after = isCurrent
    ? await commitKeys(source, before, withNewKey(before.records, { now: now() }))
    : before
  const since = findSealingKey(after.records)?.facts.createdAt ?? now()
  await setTimeout(Math.max(0, since + keyLease + longestMint - now()))
  return after
}

/** Returns the master keys that ever wrapped the destroyed keys. */
const mastersOf = ({ ids, before }: Omit<Selection, 'installation'>): readonly string[] => [
  ...new Set(
    before.records
      .filter(({ facts }) => ids.includes(facts.id))
      .flatMap(({ facts }) => facts.masters),
  ),
]

function remainingSteps(
  { installation: { isShared, source }, ids }: Selection,
  masters: readonly string[],
): readonly Line[] {
  if (masters.length === 0) return []
  const replicas = isShared
    ? ['- Stop every server that cannot reach the database: it still has the key in memory.']
    : []
  return [
    '',
    [
      { style: 'bold', text: 'Incomplete.' },
      ' Older copies of the keys still contain it, wrapped:',
    ],
    `backups of ${source.store.place}, dumps and logs of a database, copied folders. To finish:`,
    ...replicas,
    `- Put a new master key before ${masters.join(', ')}, run heirloom keys rotate, and remove the old ones.`,
    '- Destroy the old master keys, and every backup or copied folder that contains one.',
    `- Then confirm it: heirloom keys destroy ${ids.join(',')} --old-masters-gone`,
  ]
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
