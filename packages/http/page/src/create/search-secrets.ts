import type { SecretFinding } from '@heirloom/adapters/formats'
import { withFormats } from '../formats/with-formats.ts'
import { buildCard, type Draft } from './draft.ts'
import type { Source } from './source.ts'

/** Possible secrets in the sealed memory and in its public card. */
export type SecretFindings = {
  readonly inMemory: readonly SecretFinding[]
  readonly inCard: readonly SecretFinding[]
}

/** Searches the card of a memory for secrets; the memory was searched when its files were read. */
export async function searchSecrets(source: Source, draft: Draft): Promise<SecretFindings> {
  const card = buildCard(draft)
  if (card === undefined) return { inMemory: source.secrets, inCard: [] }
  const text = JSON.stringify(card, undefined, 1)
  return { inMemory: source.secrets, inCard: await withFormats((it) => it.findSecrets(text)) }
}
