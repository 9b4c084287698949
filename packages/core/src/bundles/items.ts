import { isFailure } from '../failure.ts'
import { escapeToken } from '../json/pointer.ts'
import type { UnchangedRun } from './item-skips.ts'
import { atEachEnd, nameAt, recordLength, startWalk, type Walk, walkAll } from './item-walk.ts'

/**
 * An item of a document: a value that its Merkle root commits to. `pointer` is its JSON pointer
 * (RFC 6901), `start` and `end` are where its exact bytes are in the document.
 */
export type Item = { readonly pointer: string; readonly start: number; readonly end: number }

/**
 * Returns the items of a document; `undefined` when it is not a JSON object (RFC 8259, UTF-8, nested
 * at most 1000 deep), or an object anywhere in it has two members of one name.
 *
 * The items are a pure function of the bytes. An item is a value of at most 4096 bytes whose pointer
 * has 1 to 8 reference tokens, none of them a member whose name takes more than 256 bytes as it is
 * written or holds half of a surrogate pair. Values are ordered by their last byte. Of more than
 * 8192 such values only the first 4096 and the last 4096 are items.
 *
 * Of what is `unchanged` since an earlier document that has items, most is not read again; the items
 * are the same.
 */
export function itemsOf(
  document: Uint8Array,
  unchanged: readonly UnchangedRun[] = [],
): readonly Item[] | undefined {
  const walk = startWalk(document, unchanged)
  if (!isWalkable(walk)) return undefined
  const { count, countAtSkip = 0 } = walk
  // Fewer values follow the last skip than the surveys let expect, so some of those before are items.
  if (countAtSkip > 0 && count - countAtSkip < atEachEnd) return itemsOf(document)
  return foundItems(walk)
}

function isWalkable(walk: Walk): boolean {
  try {
    return walkAll(walk)
  } catch (error) {
    if (isFailure(error, 'json/malformed') || isFailure(error, 'json/too-deep')) return false
    throw error
  }
}

function foundItems({ bytes, count, records }: Walk): readonly Item[] {
  const tokens = new Map<number, string>()
  return Array.from({ length: count < 2 * atEachEnd ? count : 2 * atEachEnd }, (_, slot) => {
    const at = slot * recordLength
    const [start, end] = [records[at] as number, records[at + 1] as number]
    return { pointer: pointerAt(bytes, { records, at: at + 2 }, tokens), start, end }
  })
}

type Keys = { readonly records: Int32Array; readonly at: number }

/** Returns a pointer; `tokens` keeps those of names, by their positions, for values below the same. */
function pointerAt(bytes: Uint8Array, { records, at }: Keys, tokens: Map<number, string>): string {
  const depth = records[at] as number
  let pointer = ''
  for (let level = 1; level <= depth; level++) {
    const key = records[at + level] as number
    pointer += key < 0 ? `/${~key}` : tokenAt(bytes, key, tokens)
  }
  return pointer
}

/** Returns the reference token of a name, with its slash. */
function tokenAt(bytes: Uint8Array, start: number, tokens: Map<number, string>): string {
  const known = tokens.get(start)
  if (known !== undefined) return known
  const token = `/${escapeToken(nameAt(bytes, start))}`
  tokens.set(start, token)
  return token
}
