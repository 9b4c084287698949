import type { SecretFinding } from '@heirloom/adapters/formats'
import { buildCard, type Draft } from './draft.ts'
import type { Source } from './source.ts'

/** Possible secrets in the sealed memory and in its public card. */
export type SecretFindings = {
  readonly inMemory: readonly SecretFinding[]
  readonly inCard: readonly SecretFinding[]
}

/** The findings of each memory, which may be long and does not change while its card is typed. */
const foundIn = new WeakMap<Source, readonly SecretFinding[]>()

/** Searches a memory and its card for secrets. */
export async function searchSecrets(source: Source, draft: Draft): Promise<SecretFindings> {
  // Loaded on demand: the patterns and the words of recovery phrases are large.
  const { findSecrets } = await import('@heirloom/adapters/formats/secrets')
  const card = buildCard(draft)
  const cardText = card === undefined ? '' : JSON.stringify(card, undefined, 1)
  const inMemory = foundIn.get(source) ?? [source.data, source.metadata ?? ''].flatMap(findSecrets)
  foundIn.set(source, inMemory)
  return { inMemory, inCard: findSecrets(cardText) }
}
