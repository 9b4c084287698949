import { Failure } from '../failure.ts'
import { type Hash, hash } from './hash.ts'
import { parseJson, readMembers } from './json.ts'
import { isVisible, misleadingSpace, misleadingText } from './misleading-text.ts'
import { encodeUtf8 } from './utf8.ts'

/**
 * What the maker of a memory chose to show of it to everybody. It is public for ever, unlike the
 * memory itself, of which nothing is shown. Characters are counted in UTF-16 units.
 */
export type Card = {
  /** One line, 1 to 120 characters. */
  readonly title: string
  /** Several lines, at most 2000 characters. */
  readonly description?: string
  /** At most 12, each one line of 1 to 32 characters. */
  readonly tags?: readonly string[]
  /** One line, 1 to 32 characters. */
  readonly category?: string
  /** A sample of the memory, several lines, at most 4000 characters. */
  readonly preview?: string
}

/** A card and the memory it speaks of, as the card's own block holds them. */
export type CardOf = { readonly card: Card; readonly contentHash: Hash }

/** The longest block of a card, in bytes. */
export const longestCardBlock = 16_384

/**
 * Reads a card. Whatever it says stays as it is; text that could show itself as other than it is
 * (control characters, changes of writing direction, characters that are not seen) is refused.
 *
 * @throws `card/malformed`
 */
export function card(input: unknown): Card {
  if (typeof input !== 'object' || input === null) refuse('it must be an object')
  const { title, description, tags, category, preview, ...others } = input as Members
  if (Object.keys(others).length > 0) {
    refuse('it may have title, description, tags, category and preview, and nothing else')
  }
  const read = {
    title: oneLine('title', title, 120),
    ...(description !== undefined && { description: lines('description', description, 2000) }),
    ...(tags !== undefined && { tags: tagsOf(tags) }),
    ...(category !== undefined && { category: oneLine('category', category, 32) }),
    ...(preview !== undefined && { preview: lines('preview', preview, 4000) }),
  }
  const { length } = documentOfCard({ card: read, contentHash: anyHash })
  if (length > longestCardBlock) {
    refuse(`it takes ${length} bytes, and may take ${longestCardBlock}`)
  }
  return read
}

/** Returns the block of a card: JSON in UTF-8, its members in this order, absent ones left out. */
export function documentOfCard({ card, contentHash }: CardOf): Uint8Array {
  const { title, description, tags, category, preview } = card
  const members = { contentHash, title, description, tags, category, preview }
  return encodeUtf8(JSON.stringify(members))
}

/**
 * Returns the card that a block holds, and the memory it speaks of; nothing when the block is not
 * a card, whoever wrote it.
 */
export function readCard(bytes: Uint8Array): CardOf | undefined {
  if (bytes.length > longestCardBlock) return undefined
  try {
    const members = [...readMembers(bytes)].map(([name, text]) => [name, parseJson(text)] as const)
    const { contentHash, ...rest } = Object.fromEntries(members)
    return { card: card(rest), contentHash: hash(text('contentHash', contentHash)) }
  } catch {
    return undefined
  }
}

type Members = { readonly [member in keyof Card]?: unknown }

const anyHash = hash(`0x${'0'.repeat(64)}`)

/** At most this many tags. */
const mostTags = 12

function tagsOf(input: unknown): readonly string[] {
  if (!Array.isArray(input) || input.length > mostTags) {
    refuse(`tags must be a list of at most ${mostTags}`)
  }
  return Array.from(input, (tag) => oneLine('a tag', tag, 32))
}

function oneLine(name: string, input: unknown, longest: number): string {
  const line = text(name, input)
  if (line.length < 1 || line.length > longest) {
    refuse(`${name} must be one line of 1 to ${longest} characters`)
  }
  refuseMisleading(name, line)
  const space = misleadingSpace(line)
  if (space !== undefined) refuse(`${name} ${space}`)
  if (!isVisible(line)) refuse(`${name} shows nothing`)
  return line
}

function lines(name: string, input: unknown, longest: number): string {
  const all = text(name, input)
  if (all.length > longest) refuse(`${name} must have at most ${longest} characters`)
  refuseMisleading(name, all.replaceAll('\n', ''))
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
