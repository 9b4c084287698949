import type { Suggestion } from '../formats/suggest-card.ts'
import type { Draft } from './draft.ts'
import type { Source } from './source.ts'

/** The chosen files of a new memory, and its draft. */
export type Form = { readonly source: Source | undefined; readonly draft: Draft }

/** Filled when the files are chosen. */
const labels = ['category', 'agentId', 'version'] as const
/** Public, so they are filled only on request. */
const texts = ['title', 'description', 'tags'] as const

/**
 * Puts other files into a form: their labels replace those that the earlier files suggested, and
 * suggested texts of the description are cleared. What was typed stays.
 */
export function chooseSource({ source, draft }: Form, chosen: Source): Form {
  const isTyped = (name: keyof Suggestion) =>
    draft[name] !== '' && draft[name] !== source?.suggested[name]
  const changes = [
    ...labels.map((name) => [name, chosen.suggested[name]] as const),
    ...texts.map((name) => [name, ''] as const),
  ].filter(([name]) => !isTyped(name))
  return { source: chosen, draft: { ...draft, ...Object.fromEntries(changes) } }
}
