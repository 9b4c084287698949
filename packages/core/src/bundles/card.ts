import { Failure } from '../failure.ts'
import { parseJson, readMembers } from '../json/json.ts'
import { encodeUtf8 } from '../json/utf8.ts'
import type { Hash } from '../values/branded.ts'
import { hash, zeroHash } from '../values/hex.ts'
import {
  isVisible,
  misleadingLayout,
  misleadingSpace,
  misleadingText,
} from '../values/misleading-text.ts'

/**
 * The public description of a memory, written by its creator. It is public for ever, while the
 * memory itself is not shown. Lengths are in UTF-16 units.
 */
export type Card = {
  /** One line, 1 to 120 characters. */
  readonly title: string
  /** Several lines, at most 2000 characters and 100 line breaks. */
  readonly description?: string
  /** At most 12, each one line of 1 to 32 characters. */
  readonly tags?: readonly string[]
  /** One line, 1 to 32 characters. */
  readonly category?: string
  /** A sample of the memory, several lines, at most 4000 characters and 200 line breaks. */
  readonly preview?: string
}

/** A card to publish, and the values of the memory to show with it, by their JSON pointers. */
export type CardInput = Card & {
  /** At most 16 JSON pointers (RFC 6901), such as `/data/notes/0`. */
  readonly excerpts?: readonly string[]
}

/** Parts a card to publish into the card and the pointers of its excerpts. */
export function partCard<Input extends CardInput>({
  excerpts = [],
  ...card
}: Input): { readonly card: Omit<Input, 'excerpts'>; readonly excerpts: readonly string[] } {
  return { card, excerpts }
}

/**
 * The content of a card's block: the card, and the content hash of the memory that it describes.
 */
export type CardBlock = { readonly card: Card; readonly contentHash: Hash }

/** The largest size of a card's block, in bytes. */
export const maxCardBytes = 16_384

/**
 * Parses a card and leaves its texts unchanged. Refuses text that could mislead a reader: control
 * characters, changes of writing direction, invisible characters, unusual spaces, and empty lines in
 * a row.
 *
 * @throws `card/malformed`
 */
export function card(input: unknown): Card {
  if (typeof input !== 'object' || input === null) refuse('it must be an object')
  const { title, description, tags, category, preview, ...others } = input as Members
  if (Object.keys(others).length > 0) {
    refuse('only title, description, tags, category and preview are allowed')
  }
  const parsed = {
    title: oneLine('title', title, 120),
    ...(description !== undefined && {
      description: lines('description', description, long.description),
    }),
    ...(tags !== undefined && { tags: tagsOf(tags) }),
    ...(category !== undefined && { category: oneLine('category', category, 32) }),
    ...(preview !== undefined && { preview: lines('preview', preview, long.preview) }),
  }
  const { length } = encodeCard({ card: parsed, contentHash: zeroHash })
  if (length > maxCardBytes) {
    refuse(`it takes ${length} bytes; at most ${maxCardBytes} are allowed`)
  }
  return parsed
}

/**
 * Encodes a card as its block: JSON in UTF-8, with the members in this order and without absent
 * ones.
 */
export function encodeCard({ card, contentHash }: CardBlock): Uint8Array {
  const { title, description, tags, category, preview } = card
  const members = { contentHash, title, description, tags, category, preview }
  return encodeUtf8(JSON.stringify(members))
}

/**
 * Decodes the block of a card; returns `undefined` when it does not hold a valid card. Anybody may
 * have written the block.
 */
export function decodeCard(bytes: Uint8Array): CardBlock | undefined {
  if (bytes.length > maxCardBytes) return undefined
  try {
    const members = [...readMembers(bytes)].map(([name, text]) => [name, parseJson(text)] as const)
    const { contentHash, ...rest } = Object.fromEntries(members)
    return { card: card(rest), contentHash: hash(text('contentHash', contentHash)) }
  } catch {
    return undefined
  }
}

type Members = { readonly [member in keyof Card]?: unknown }

const maxTags = 12

function tagsOf(input: unknown): readonly string[] {
  if (!Array.isArray(input) || input.length > maxTags) {
    refuse(`tags must be a list of at most ${maxTags}`)
  }
  return Array.from(input, (tag) => oneLine('a tag', tag, 32))
}

function oneLine(name: string, input: unknown, maxLength: number): string {
  const line = text(name, input)
  if (line.length < 1 || line.length > maxLength) {
    refuse(`${name} must be one line of 1 to ${maxLength} characters`)
  }
  refuseMisleading(name, line)
  const space = misleadingSpace(line)
  if (space !== undefined) refuse(`${name} ${space}`)
  if (!isVisible(line)) refuse(`${name} must have a visible character`)
  return line
}

/** The limits of the texts of several lines. */
const long = {
  description: { maxLength: 2000, maxLineBreaks: 100 },
  preview: { maxLength: 4000, maxLineBreaks: 200 },
} as const

function lines(
  name: string,
  input: unknown,
  { maxLength, maxLineBreaks }: (typeof long)[keyof typeof long],
): string {
  const all = text(name, input)
  if (all.length > maxLength) refuse(`${name} must have at most ${maxLength} characters`)
  refuseMisleading(name, all.replaceAll('\n', ''))
  const layout = misleadingLayout(all, maxLineBreaks)
  if (layout !== undefined) refuse(`${name} ${layout}`)
  return all
}

function text(name: string, input: unknown): string {
  if (typeof input !== 'string') refuse(`${name} must be a text`)
  return input
}

function refuseMisleading(name: string, text: string): void {
  const problem = misleadingText(text)
  if (problem !== undefined) refuse(`${name} ${problem}`)
}

function refuse(problem: string): never {
  throw new Failure('card/malformed', { problem })
}
