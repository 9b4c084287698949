import { type Finding, findSecrets } from '../text/secrets.ts'
import { cardOf, type Draft } from './draft.ts'
import type { Source } from './source.ts'

/** What looks like a secret, in what would be sealed and in what would be public. */
export type Alarms = { readonly sealed: readonly Finding[]; readonly shown: readonly Finding[] }

/** Returns what looks like a secret in a memory and in its card. */
export async function alarmsIn(source: Source, draft: Draft): Promise<Alarms> {
  // The words of recovery phrases are a list of their own, which few need.
  const { wordlist } = await import('./recovery-words.ts')
  const card = cardOf(draft)
  const shown = card === undefined ? '' : JSON.stringify(card, undefined, 1)
  return {
    sealed: findSecrets(source.data + (source.metadata ?? ''), wordlist),
    shown: findSecrets(shown, wordlist),
  }
}
