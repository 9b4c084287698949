import type { Account, TokenId } from '../values/branded.ts'
import { sameAccount } from '../values/hex.ts'
import { lineName, type OwnedName } from '../values/name.ts'

/** A token with what its sealed bundle says of its line. */
export type LineToken = {
  readonly tokenId: TokenId
  readonly parent: TokenId | undefined
  readonly creator: Account
  /** The name that it was saved to; `unknown` when its bundle cannot be read, absent without a name. */
  readonly line: OwnedName | 'unknown' | undefined
  /** Whether it was saved by a grant of the owner of the name, which may have ended before its mint was settled. */
  readonly isGranted?: boolean | undefined
}

/** A name with the tokens of its versions, the first one first. */
export type RecoveredLine = { readonly of: OwnedName; readonly versions: readonly TokenId[] }

/** Versions that were saved to a name and are not in what it holds now. */
export type LeftOutLine = RecoveredLine & {
  /** `made-anew`: the name began again after them; `moved-on`: it had another next version already. */
  readonly reason: 'made-anew' | 'moved-on'
}

type Line = {
  readonly of: OwnedName
  readonly versions: TokenId[]
  /** The line of another name that this one goes on from, and its number of versions then. */
  readonly base: { readonly line: Line; readonly count: number } | undefined
}

/** The tokens before a version, back to one that can be read. */
type Ancestry = { readonly readable: TokenId | undefined; readonly unread: readonly TokenId[] }

type Found = {
  readonly tokens: Map<TokenId, LineToken>
  /** The line that each name has now, by its text. */
  readonly lines: Map<string, Line>
  /** All lines, also those whose names began anew, by their last token. */
  readonly byLast: Map<TokenId, Line>
  /** Versions beside the line of their name, by their token. */
  readonly strays: Map<TokenId, Line>
  /** Lines whose name began anew. */
  readonly earlier: Line[]
}

/**
 * Rebuilds the names from the tokens, which come in the order of their mints. Each version has the last
 * one of its name as parent, so the parents say where a name went on, where it began anew because it
 * had been forgotten or renamed, and where it went on under another text.
 */
export function recoverLines(tokens: Iterable<LineToken>): recoverLines.Output {
  const maps = { tokens: new Map(), lines: new Map(), byLast: new Map(), strays: new Map() }
  const found: Found = { ...maps, earlier: [] }
  for (const token of tokens) {
    found.tokens.set(token.tokenId, token)
    if (typeof token.line === 'object') place(found, token, token.line)
  }
  const lines = [...found.lines.values()]
  const used = new Set(lines.flatMap(versionsOf))
  const leftOut = (of: Iterable<Line>, reason: LeftOutLine['reason']) =>
    [...of].flatMap(({ of: name, versions }) => {
      const unused = versions.filter((id) => !used.has(id))
      return unused.length === 0 ? [] : [{ of: name, versions: unused, reason }]
    })
  return {
    lines: lines.map((line) => ({ of: line.of, versions: versionsOf(line) })).toSorted(byLast),
    leftOut: [
      ...leftOut(found.earlier, 'made-anew'),
      ...leftOut(found.strays.values(), 'moved-on'),
    ],
  }
}

export declare namespace recoverLines {
  type Output = {
    /** The names, each after all that it goes on from. */
    readonly lines: readonly RecoveredLine[]
    readonly leftOut: readonly LeftOutLine[]
  }
}

function place(found: Found, token: LineToken, of: OwnedName): void {
  const { lines, byLast, strays, earlier } = found
  const { readable, unread } = ancestryOf(found, token)
  const added = [...unread, token.tokenId]
  const line = lines.get(lineName(of))
  if (line !== undefined && readable !== undefined) {
    passOver(found, line, readable)
    if (line.versions.at(-1) === readable) {
      byLast.delete(readable)
      byLast.set(token.tokenId, line)
      line.versions.push(...added)
      return
    }
    // A token that was minted after its name moved on is no version, unless one comes after it.
    if (line.versions.includes(readable)) {
      strays.set(token.tokenId, { of, versions: added, base: undefined })
      return
    }
  }
  const next = newLine(found, of, { readable, added })
  if (line !== undefined) earlier.push(line)
  lines.set(lineName(of), next)
  byLast.set(token.tokenId, next)
}

/**
 * Takes the last version from a line where another one comes after the same version as it, and a grant
 * saved it: had it been a version, the other one would come after it.
 */
function passOver({ tokens, byLast, strays }: Found, line: Line, before: TokenId): void {
  const { versions } = line
  const last = versions.at(-1)
  if (last === undefined || !tokens.get(last)?.isGranted || versions.at(-2) !== before) return
  versions.pop()
  byLast.delete(last)
  byLast.set(before, line)
  strays.set(last, { of: line.of, versions: [last], base: undefined })
}

function newLine(
  { byLast, strays }: Found,
  of: OwnedName,
  { readable, added }: Pick<Ancestry, 'readable'> & { readonly added: readonly TokenId[] },
): Line {
  const versions = [...added]
  if (readable === undefined) return { of, versions, base: undefined }
  const stray = strays.get(readable)
  if (stray !== undefined && lineName(stray.of) === lineName(of)) {
    return { of, versions: [...stray.versions, ...added], base: undefined }
  }
  const line = byLast.get(readable)
  const isOwn = line?.of.owner === of.owner
  return { of, versions, base: isOwn ? { line, count: line.versions.length } : undefined }
}

/** Returns the tokens of a line with those that it goes on from, unless their name went on as well. */
function versionsOf({ base, versions }: Line): readonly TokenId[] {
  if (base === undefined || base.line.versions.length > base.count) return versions
  return [...versionsOf(base.line), ...versions]
}

function ancestryOf({ tokens }: Found, { parent, creator }: LineToken): Ancestry {
  const unread: TokenId[] = []
  for (let id = parent; ; ) {
    const token = id === undefined ? undefined : tokens.get(id)
    const isUnread = token?.line === 'unknown' && sameAccount(token.creator, creator)
    if (token === undefined || !isUnread) return { readable: token?.tokenId, unread }
    unread.unshift(token.tokenId)
    id = token.parent
  }
}

const byLast = (one: RecoveredLine, other: RecoveredLine): number =>
  Number((one.versions.at(-1) ?? 0n) - (other.versions.at(-1) ?? 0n))
