import type { SecretFinding } from '@heirloom/adapters/formats'
import { cardOf, type Draft } from './draft.ts'
import type { Source } from './source.ts'

/** What looks like a secret, in what would be sealed and in what would be public. */
export type Alarms = {
  readonly sealed: readonly SecretFinding[]
  readonly shown: readonly SecretFinding[]
}

/** What was found in memories that may be long, and stay as they are while their cards are typed. */
const found = new WeakMap<Source, readonly SecretFinding[]>()

/** Returns what looks like a secret in a memory and in its card. */
export async function alarmsIn(source: Source, draft: Draft): Promise<Alarms> {
  // Its patterns and the words of recovery phrases are many, and few pages need them.
  const { findSecrets } = await import('@heirloom/adapters/formats/secrets')
  const card = cardOf(draft)
  const shown = card === undefined ? '' : JSON.stringify(card, undefined, 1)
  const sealed = found.get(source) ?? [source.data, source.metadata ?? ''].flatMap(findSecrets)
  found.set(source, sealed)
  return { sealed, shown: findSecrets(shown) }
}
