import type { MintRecord } from '@heirloom/adapters/internal/minted-tokens'
import { readSealedLine } from '@heirloom/adapters/internal/sealed-line'
import {
  type Account,
  type BlobStore,
  type Digest,
  isFailure,
  type LineToken,
  type OwnedName,
  type Provenance,
  type Registry,
  readLineName,
  type SealedSaver,
  sameContext,
} from '@heirloom/core'
import { packsOf, readVersion } from '../../server/packs/packs-of.ts'
import { accountOwner } from '../../server/request/name-owners.ts'

/** A token with its line, and what its bundle says of its document. */
export type ReadToken = LineToken &
  MintRecord & {
    /** Absent when the bundle cannot be read. */
    readonly documentBytes: number | undefined
    /** The one who saved it; absent where nobody is named. */
    readonly savedBy?: SealedSaver | undefined
    /** The reason why the bundle cannot be read; absent when it can. */
    readonly unread?: Unread
  }

/** The reason why a bundle cannot be read: its memory was erased, or it is not here with its key. */
type Unread = 'erased' | 'not-here'

export declare namespace lineTokens {
  type Parts = {
    readonly minted: AsyncIterable<MintRecord>
    readonly head: BlobStore['head']
    readonly registry: Registry
    readonly keys: readSealedLine.Parts['keys']
  }
}

/**
 * Returns the tokens whose bundles were sealed for their creators, with the names that they were saved
 * to. Anybody can mint any digest: a token counts for a name only when its creator, registry and
 * content hash are those that the head was sealed for, and only the first such token does. Licensed
 * forks are left out.
 */
export async function* lineTokens({
  minted,
  ...parts
}: lineTokens.Parts): AsyncGenerator<ReadToken> {
  const seen = new Set<Digest>()
  for await (const record of minted) {
    if (record.isFork || seen.has(record.digest)) continue
    const token = await readToken(parts, record)
    if (token === undefined) continue
    if (token.line !== 'unknown') seen.add(record.digest)
    yield token
  }
}

/** Returns a token with its line; `undefined` for one that has the bundle of another. */
async function readToken(
  { head, registry, keys }: Omit<lineTokens.Parts, 'minted'>,
  record: MintRecord,
): Promise<ReadToken | undefined> {
  const read = await readHead(() => head(record.digest), keys)
  if (typeof read === 'string') {
    return { ...record, line: 'unknown', documentBytes: undefined, unread: read }
  }
  const { creator, contentHash } = record
  const isOwn = sameContext(read.context, { registry, creator })
  if (!isOwn || read.contentHash !== contentHash) return undefined
  const { name, savedBy, documentBytes } = read
  const owned = name === undefined ? undefined : ownedBy(record, readLineName(name), savedBy)
  return { ...record, savedBy, documentBytes, line: owned?.line, isGranted: owned?.isGranted }
}

/** Reads an authentic head, or returns the reason why none of the keys opens one. */
async function readHead(head: () => Promise<Uint8Array>, keys: lineTokens.Parts['keys']) {
  try {
    return readSealedLine({ keys }, await head())
  } catch (error) {
    if (isFailure(error, 'memory/erased')) return 'erased'
    if (notHere.some((code) => isFailure(error, code))) return 'not-here'
    throw error
  }
}

const notHere = ['blob/not-found', 'blob/corrupt', 'bundle/unreadable'] as const

/**
 * Returns a name, unless it belongs to an account that neither minted the token nor saved it, nor was given
 * it by one who saved by a grant.
 */
function ownedBy(
  { creator, recipient = creator }: Pick<MintRecord, 'creator' | 'recipient'>,
  line: OwnedName | undefined,
  savedBy: SealedSaver | undefined,
): { readonly line: OwnedName | undefined; readonly isGranted?: true } | undefined {
  if (!line?.owner.startsWith('account ')) return { line }
  const isOf = (account: string) => line.owner === accountOwner(account as Account).owner
  const saver = savedBy?.kind === 'account' ? savedBy.name : undefined
  if (isOf(saver ?? creator)) return { line }
  return saver !== undefined && isOf(recipient) ? { line, isGranted: true } : undefined
}

type Versions = readonly Pick<Provenance, 'digest'>[]

/**
 * Returns the bytes that each version added to those before it, without its card; those of a blob that
 * is not here whole are 0. `earlier` are the versions that the first one came after.
 */
export async function versionSizes(
  get: BlobStore['get'],
  earlier: Versions,
  versions: Versions,
): Promise<ReadonlyMap<Digest, number>> {
  const known = new Set<Digest>()
  const sizes = new Map<Digest, number>()
  const last = earlier.at(-1)
  const head = last && (await orAbsent(get(last.digest)))
  for (const pack of head === undefined ? [] : packsOf(head)) known.add(pack)
  for (const { digest } of versions) {
    sizes.set(digest, (await orAbsent(readVersion({ get }, digest, known))) ?? 0)
  }
  return sizes
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (absent.some((code) => isFailure(error, code))) return undefined
    throw error
  }
}

const absent = ['blob/not-found', 'blob/corrupt', 'memory/erased'] as const
