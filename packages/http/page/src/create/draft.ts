import type { Omission, SecretFinding } from '@heirloom/adapters/formats'
import { factPointersIn, isFailure, card as readCard } from '@heirloom/core'
import type { Card } from '../../../src/client/responses.ts'
import type { ListedValue } from '../formats/check-excerpts.ts'
import type { Suggestion } from '../formats/suggest-card.ts'

/** The form of a new memory, with nothing typed. */
export const emptyDraft = {
  category: '',
  agentId: '',
  version: '',
  parent: '',
  isPublic: false,
  title: '',
  description: '',
  tags: '',
  preview: '',
  /** The JSON pointers of the values that are shown with a proof, one in each line. */
  excerpts: '',
  /** Whether the facts in the labels are shown with a proof, too. */
  showsFacts: true,
}

/** The form of a new memory; texts are as typed. */
export type Draft = Readonly<typeof emptyDraft>

/** The longest length of each part of a card, in UTF-16 units. */
export const limits: Partial<Readonly<Record<keyof Draft, number>>> = {
  title: 120,
  description: 2000,
  preview: 4000,
  excerpts: 8192,
}

/** Builds the card of a draft; `undefined` without a public description. */
export function buildCard(draft: Draft): Card | undefined {
  if (!draft.isPublic || draft.title.trim() === '') return undefined
  const tags = partsOf(draft.tags, ',')
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

/** Returns the different parts of a text, such as its tags or its lines. */
const partsOf = (text: string, separator: string): readonly string[] =>
  [...new Set(text.split(separator).map((it) => it.trim()))].filter((it) => it !== '')

/** The most values that are shown with a proof. */
export const mostExcerpts = 16

/** Returns the JSON pointers of the values that a draft shows with a proof. */
export const parseExcerpts = (draft: Pick<Draft, 'isPublic' | 'excerpts'>): readonly string[] =>
  draft.isPublic ? partsOf(draft.excerpts, '\n') : []

/**
 * Returns the JSON pointers that are sent: those that were chosen, and those of the facts in the
 * metadata, as far as there is room.
 */
export function listExcerpts(
  draft: Pick<Draft, 'isPublic' | 'excerpts' | 'showsFacts'>,
  metadata: string,
): readonly string[] {
  const chosen = parseExcerpts(draft)
  if (!draft.isPublic || !draft.showsFacts) return chosen
  return [...new Set([...chosen, ...factPointersIn(JSON.parse(metadata))])].slice(0, mostExcerpts)
}

/** Returns the problems of a draft, one sentence each; that of its parent is beside its field. */
export function validateDraft(draft: Draft, isBundle: boolean): readonly string[] {
  const problems: string[] = []
  if (!isBundle && draft.category.trim() === '') problems.push('Choose a category.')
  if (!draft.isPublic) return problems
  return [...problems, ...validateCard(draft), ...validateExcerpts(parseExcerpts(draft))]
}

/** Returns whether a text is a JSON pointer (RFC 6901), but for that of the whole document. */
export const isJsonPointer = (text: string): boolean => /^(\/([^/~]|~[01])*)+$/.test(text)

/** Returns whether a text is the number of a token. */
export const isTokenNumber = (text: string): boolean => /^[1-9]\d{0,77}$/.test(text)

/** Returns the problem of a parent as it was typed, in a sentence; empty when there is none. */
export const validateParent = (parent: string): string =>
  parent === '' || isTokenNumber(parent)
    ? ''
    : `“${parent}” is not the number of a token. Enter one, such as 7, or leave it empty.`

function validateExcerpts(pointers: readonly string[]): readonly string[] {
  if (pointers.length > mostExcerpts) {
    const number = pointers.length
    return [`At most ${mostExcerpts} values can be shown with a proof; these are ${number}.`]
  }
  return pointers
    .filter((it) => !isJsonPointer(it))
    .map((it) => `“${it}” is no JSON pointer, such as /data/notes/0.`)
}

function validateCard(draft: Draft): readonly string[] {
  const card = buildCard(draft)
  if (card === undefined) return ['Enter a title.']
  try {
    // The rules of the server, so that it refuses nothing after an upload.
    readCard(card)
    return []
  } catch (error) {
    if (!isFailure(error, 'card/malformed')) throw error
    return [toSentence(error.facts.problem)]
  }
}

/** Makes a sentence of a problem of a card, in the words of the form. */
function toSentence(problem: string): string {
  const named = problem
    .replace(/^preview /, 'sample ')
    .replace(/^tags must be a list of/, 'list of tags can have')
  const [first = ''] = named
  const isOne = /^(title|category|description|sample|list of tags) /.test(named)
  return isOne ? `The ${named}.` : `${first.toUpperCase()}${named.slice(1)}.`
}

/** Files as they will be sealed. The data stays outside the page, however large it is. */
export type Source = {
  readonly name: string
  /** The bytes of the files that are sealed. */
  readonly size: number
  /** The exact JSON text of the data. */
  readonly data: Blob
  /** The beginning of the data. */
  readonly beginning: string
  /** The metadata of the file, as JSON; absent unless the file is a whole bundle. */
  readonly metadata?: string
  /** The JSON text of `importedFrom`, with which the files can be restored. */
  readonly origin?: string
  /** An explanation of how the files become a memory. */
  readonly explanation: string
  /** Describes what is left out of the files. */
  readonly left: readonly Omission[]
  /** The e-mail addresses in the memory; absent in the draft of an earlier page. */
  readonly addresses?: readonly string[]
  /** Possible secrets in the memory. */
  readonly secrets: readonly SecretFinding[]
  /** The first values of the data, which can be shown with a proof. */
  readonly values: readonly ListedValue[]
  readonly suggested: Suggestion
}

/** A file that was chosen, with its path in the folder it was chosen with. */
export type ChosenFile = { readonly path: string; readonly file: Blob }

/** Files that were chosen together, or a text that was typed. */
export type Choice = {
  readonly kind: 'file' | 'files' | 'folder' | 'text'
  /** The name of the file or the folder, or the number of the files. */
  readonly name: string
  readonly files: readonly ChosenFile[]
}

/** The files as they will be sealed, or why they cannot be. */
export type Imported =
  | { readonly source: Source }
  | {
      readonly broken: string
      /** Whether they can be sealed as texts all the same. */
      readonly canBeText: boolean
    }

/** Builds the body of a snapshot; the data and metadata of the files stay exactly as they are. */
export function buildRequestBody(source: Source, draft: Draft, recipient?: string): Blob {
  const card = buildCard(draft)
  const metadata = source.metadata ?? buildMetadata(draft, source)
  const excerpts = listExcerpts(draft, metadata)
  const parent = draft.parent.trim()
  const members = [
    `"metadata":${metadata}`,
    card && `"card":${JSON.stringify({ ...card, ...(excerpts.length > 0 && { excerpts }) })}`,
    parent !== '' && `"parentTokenId":"${parent}"`,
    recipient && `"recipient":"${recipient}"`,
  ].filter(Boolean)
  return new Blob(['{"data":', source.data, `,${members.join(',')}}`])
}

/** Builds the metadata of a draft, as JSON, with what restores the files. */
export function buildMetadata(
  { category, agentId, version }: Draft,
  { origin }: Pick<Source, 'origin'>,
): string {
  const own = { agentId: agentId.trim() || undefined, version: version.trim() || undefined }
  const labels = JSON.stringify({ category: category.trim(), ...own })
  return origin === undefined ? labels : `${labels.slice(0, -1)},"importedFrom":${origin}}`
}
