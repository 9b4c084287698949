import type { Card } from '../../../src/client/responses.ts'

/** The form of a new memory; texts are as typed. */
export type Draft = {
  readonly category: string
  readonly agentId: string
  readonly version: string
  readonly parent: string
  readonly isPublic: boolean
  readonly title: string
  readonly description: string
  readonly tags: string
  readonly preview: string
}

export const emptyDraft: Draft = {
  category: '',
  agentId: '',
  version: '',
  parent: '',
  isPublic: false,
  title: '',
  description: '',
  tags: '',
  preview: '',
}

/** The longest length of each part of a card, in UTF-16 units. */
export const limits = {
  title: 120,
  description: 2000,
  tag: 32,
  tags: 12,
  category: 32,
  preview: 4000,
} as const

/** Builds the card of a draft; `undefined` without a public description. */
export function buildCard(draft: Draft): Card | undefined {
  if (!draft.isPublic || draft.title.trim() === '') return undefined
  const tags = parseTags(draft.tags)
  const [description, preview] = [draft.description.trim(), draft.preview.trim()]
  const category = draft.category.trim()
  return {
    title: draft.title.trim(),
    ...(description !== '' && { description }),
    ...(tags.length > 0 && { tags }),
    ...(category !== '' && { category }),
    ...(preview !== '' && { preview }),
  }
}

/** Parses tags that are separated by commas. */
export function parseTags(text: string): readonly string[] {
  return [...new Set(text.split(',').map((it) => it.trim()))].filter((it) => it !== '')
}

/** Characters that can make a text misleading; a server refuses them in a card. */
const misleading =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
  /[\u{0}-\u{9}\u{b}-\u{1f}\u{7f}-\u{9f}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/u

/** Returns the problems of a draft, one sentence each. */
export function validateDraft(draft: Draft, isBundle: boolean): readonly string[] {
  const problems: string[] = []
  if (!isBundle && draft.category.trim() === '') problems.push('Choose a category.')
  if (draft.parent.trim() !== '' && !/^[1-9]\d{0,77}$/.test(draft.parent.trim())) {
    problems.push('The parent must be the number of a token, such as 7.')
  }
  return draft.isPublic ? [...problems, ...validateCard(draft)] : problems
}

function validateCard(draft: Draft): readonly string[] {
  const tags = parseTags(draft.tags)
  const texts = [draft.title, draft.description, draft.preview, draft.tags, draft.category]
  const found = [
    [draft.title.trim() === '', 'Enter a title.'],
    [draft.category.trim().length > limits.category, 'A public category has at most 32 letters.'],
    [tags.length > limits.tags, 'Use at most 12 tags.'],
    [tags.some((it) => it.length > limits.tag), 'A tag has at most 32 letters.'],
    [
      texts.some((it) => misleading.test(it)),
      'The description contains invisible characters that could mislead readers. Type the text instead of pasting it.',
    ],
  ] as const
  return found.filter(([isSo]) => isSo).map(([, sentence]) => sentence)
}
