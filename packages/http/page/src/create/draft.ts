import type { Card } from '../../../src/client/responses.ts'

/** A memory as it is being prepared; texts are as they were typed. */
export type Draft = {
  readonly category: string
  readonly agentId: string
  readonly version: string
  readonly parent: string
  readonly isShown: boolean
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
  isShown: false,
  title: '',
  description: '',
  tags: '',
  preview: '',
}

/** How long each part of a card may be, in UTF-16 units. */
export const limits = {
  title: 120,
  description: 2000,
  tag: 32,
  tags: 12,
  category: 32,
  preview: 4000,
} as const

/** Returns the card that a draft shows, or `undefined` when it shows none. */
export function cardOf(draft: Draft): Card | undefined {
  if (!draft.isShown || draft.title.trim() === '') return undefined
  const tags = tagsOf(draft.tags)
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

/** Returns the tags in a text that separates them by commas. */
export function tagsOf(text: string): readonly string[] {
  return [...new Set(text.split(',').map((it) => it.trim()))].filter((it) => it !== '')
}

/** Characters that could make a text look like another one; a server refuses them in a card. */
const misleading =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u{0}-\u{9}\u{b}-\u{1f}\u{7f}-\u{9f}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/u

/** Returns what is wrong with a draft, a sentence each. */
export function complaintsOf(draft: Draft, isBundle: boolean): readonly string[] {
  const complaints: string[] = []
  if (!isBundle && draft.category.trim() === '') complaints.push('Choose a category.')
  if (draft.parent.trim() !== '' && !/^[1-9]\d{0,77}$/.test(draft.parent.trim())) {
    complaints.push('The parent is the number of a token, such as 7.')
  }
  return draft.isShown ? [...complaints, ...cardComplaints(draft)] : complaints
}

function cardComplaints(draft: Draft): readonly string[] {
  const tags = tagsOf(draft.tags)
  const texts = [draft.title, draft.description, draft.preview, draft.tags, draft.category]
  const found = [
    [draft.title.trim() === '', 'Give the card a title.'],
    [
      draft.category.trim().length > limits.category,
      'The category of a card is 32 letters at most.',
    ],
    [tags.length > limits.tags, 'A card has 12 tags at most.'],
    [tags.some((it) => it.length > limits.tag), 'A tag is 32 letters at most.'],
    [
      texts.some((it) => misleading.test(it)),
      'The card holds invisible characters that could mislead its readers. Type it instead of pasting it.',
    ],
  ] as const
  return found.filter(([isSo]) => isSo).map(([, sentence]) => sentence)
}
