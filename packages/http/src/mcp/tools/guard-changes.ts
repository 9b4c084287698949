import type { Change } from '../../diff/change.ts'
import { type GuardClient, type GuardOptions, guardTexts, type PlacedText } from '../guard.ts'

type Options = Omit<GuardOptions, 'tokenId'> & {
  /** The tokens that were compared. What is held back for one is held back for both. */
  readonly tokenIds: readonly string[]
}

/** Guards the paths and the whole values of changes, so that nothing slips through where they are cut. */
export async function guardChanges(
  client: GuardClient,
  changes: readonly Change[],
  options: Options,
) {
  const { texts, guard } = await guardTexts(client, changes.flatMap(textsOf), options)
  let at = 0
  const next = () => texts[at++] ?? ''
  // In the order of `textsOf`.
  const guarded = changes.map((change): Change => {
    const path: string = JSON.parse(next())
    if (change.kind === 'moved') return { ...change, path }
    if (change.kind === 'changed') return { ...change, path, before: next(), after: next() }
    return { ...change, path, value: next() }
  })
  return { changes: guarded, ...(guard && { guard }) }
}

function textsOf(change: Change, nth: number): readonly PlacedText[] {
  const at = `/changes/${nth}`
  const path = { at: `${at}/path`, text: JSON.stringify(change.path) }
  if (change.kind === 'moved') return [path]
  if (change.kind === 'added') return [path, { at: `${at}/after`, text: change.value }]
  if (change.kind === 'removed') return [path, { at: `${at}/before`, text: change.value }]
  const { before, after } = change
  return [path, { at: `${at}/before`, text: before }, { at: `${at}/after`, text: after }]
}
