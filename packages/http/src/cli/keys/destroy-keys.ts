import { setTimeout } from 'node:timers/promises'
import {
  buried,
  commitKeys,
  type LoadedKeys,
  loaded,
  type SeenRecord,
  sealingIn,
  withDestroyed,
  withMastersGone,
  withNewKey,
} from '@heirloom/adapters/keys'
import type { TokenId } from '@heirloom/core'
import { keyLease } from '../../server/keys/open-keys.ts'
import { askToType } from '../terminal/prompt.ts'
import { type KeySite, type Memories, memoriesOf, withKeySite } from './key-installation.ts'
import type { KeysCall } from './keys.ts'
import { counted, tokenList } from './show-key-status.ts'
import type { Line } from '../terminal/output.ts'
import { isAnswered } from '../terminal/terminal.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** How long a memory may be on its way from its sealing to its token, in milliseconds. */
const drain = 30_000

/** Destroys sealing keys, or notes that nothing can bring destroyed ones back. */
export function destroyKeys(call: KeysCall): Promise<number> {
  const ids = idsIn(call.words.ID)
  return withKeySite(call, 'change', async (site, seen) => {
    const isDoomed = ({ facts }: SeenRecord) => ids.includes(facts.id)
    const others = seen.records.filter((record) => !isDoomed(record))
    // A key that does not open can be destroyed as well; the others are needed, to be wrapped anew.
    const rest = loaded({ ...seen, records: others }, site.source)
    const these = seen.records.filter(isDoomed).map(({ facts, opened }) => {
      return typeof opened === 'object' ? opened : buried(facts, site.now())
    })
    const before = { epoch: seen.epoch, records: [...these, ...rest.records] }
    const doomed: Doomed = { site, ids, before }
    return call.options['old-masters-gone'] ? confirm(call, doomed) : destroy(call, doomed)
  })
}

function idsIn(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.every((id) => /^[0-9a-f]{32}$/.test(id))) return ids
  throw new UsageError(
    'ID must be the 32 hexadecimal digits that keys status shows, or a comma list.',
  )
}

type Doomed = {
  readonly site: KeySite
  readonly ids: readonly string[]
  readonly before: LoadedKeys
}

async function destroy(call: KeysCall, doomed: Doomed): Promise<number> {
  const { output, options } = call
  const { site, ids } = doomed
  const memories = await memoriesOf(site)
  requireKnown(doomed, memories)
  const tokens = tokensUnder(ids, memories)
  const warning = `${counted(tokens.length)} sealed under ${named(ids)} and will be closed for ever: ${tokenList(tokens)}.`
  if (options['dry-run']) {
    const lines = [`Dry run: nothing is destroyed. ${warning}`]
    await output.answer({ value: { dryRun: true, ids, tokens }, lines })
    return 0
  }
  await output.note(warning)
  await approve(call, ids)
  const quiet = await closedToSealing(doomed)
  const gone = site.isShared ? tokensUnder(ids, await memoriesOf(site)) : tokens
  const buried = withDestroyed(quiet.records, ids, { now: site.now() })
  const after = await commitKeys(site.source, quiet, buried)
  const masters = mastersOf({ ...doomed, before: after })
  const sealing = sealingIn(after.records)?.facts.id
  const closed = `Destroyed ${named(ids)}: ${counted(gone.length)} closed for ever. The key ${sealing} seals.`
  await output.answer({
    value: { destroyed: ids, tokens: gone, isComplete: masters.length === 0, masters },
    lines: [closed, ...stillToDo(doomed, masters)],
  })
  return 0
}

const named = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(', ')}`

const tokensUnder = (ids: readonly string[], memories: Memories): readonly TokenId[] =>
  ids.flatMap((id) => memories.get(id) ?? [])

function requireKnown({ ids, before }: Doomed, memories: Memories): void {
  const known = new Set([...before.records.map(({ facts }) => facts.id), ...memories.keys()])
  if (ids.every((id) => known.has(id))) return
  throw new UsageError('There is no such key here; heirloom keys status lists them.')
}

async function approve({ terminal, output, options }: KeysCall, ids: readonly string[]) {
  if (options.yes) return
  if (output.json || !isAnswered(terminal)) {
    throw new UsageError('What is destroyed never comes back: give --yes, or run it on a terminal.')
  }
  const word = 'destroy'
  await askToType(terminal, { question: `Type ${word} to destroy ${named(ids)}`, word })
}

/**
 * Returns the keys once nobody seals under the doomed ones any more: servers that share the
 * database seal under a key for a while after it was replaced.
 */
async function closedToSealing({ site, ids, before }: Doomed): Promise<LoadedKeys> {
  if (!site.isShared) return before
  const { source, now } = site
  const sealing = sealingIn(before.records)
  const isCurrent = sealing === undefined || ids.includes(sealing.facts.id)
  const after = isCurrent
    ? await commitKeys(source, before, withNewKey(before.records, { now: now() }))
    : before
  const since = sealingIn(after.records)?.facts.createdAt ?? now()
  await setTimeout(Math.max(0, since + keyLease + drain - now()))
  return after
}

/** Returns the master keys that ever wrapped the destroyed keys. */
const mastersOf = ({ ids, before }: Omit<Doomed, 'site'>): readonly string[] => [
  ...new Set(
    before.records
      .filter(({ facts }) => ids.includes(facts.id))
      .flatMap(({ facts }) => facts.masters),
  ),
]

function stillToDo(
  { site: { isShared, source }, ids }: Doomed,
  masters: readonly string[],
): readonly Line[] {
  if (masters.length === 0) return []
  const replicas = isShared
    ? ['- Stop every server that cannot reach the database: it still has the key in memory.']
    : []
  return [
    '',
    [{ style: 'bold', text: 'Incomplete.' }, ' Older copies of the keys still hold it, wrapped:'],
    `backups of ${source.store.place}, dumps and logs of a database, copied folders. To close them:`,
    ...replicas,
    `- Put a new master key before ${masters.join(', ')}, run heirloom keys rotate, and take the old ones out.`,
    '- Destroy those old master keys, and every backup and copied folder that holds one.',
    `- Then say so: heirloom keys destroy ${ids.join(',')} --old-masters-gone`,
  ]
}

async function confirm({ output, options }: KeysCall, doomed: Doomed): Promise<number> {
  const { site, ids, before } = doomed
  const graves = before.records.filter(({ facts }) => ids.includes(facts.id))
  if (graves.length < ids.length || graves.some(({ facts }) => facts.state !== 'destroyed')) {
    throw new UsageError('Only of destroyed keys can that be said; destroy it first.')
  }
  const inUse = [
    ...site.source.masters.map(({ id }) => id),
    ...before.records.map(({ facts }) => facts.master),
  ]
  const left = mastersOf(doomed).filter((id) => inUse.includes(id))
  if (left.length > 0) {
    throw new UsageError(
      `The master key ${left.join(', ')} wrapped it and is still in use: put a new one before it, run keys rotate, and take it out of MASTER_KEYS.`,
    )
  }
  const isRehearsed = options['dry-run'] === true
  if (!isRehearsed) await commitKeys(site.source, before, withMastersGone(before.records, ids))
  const said = `The destruction of ${named(ids)} is complete, as far as you know of all copies.`
  const line = isRehearsed ? `Dry run: nothing is noted. ${said}` : said
  await output.answer({ value: { dryRun: isRehearsed, ids, isComplete: true }, lines: [line] })
  return 0
}
