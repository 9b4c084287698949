import { pairReader, type RecordedToken } from '@heirloom/adapters/internal/migration'
import {
  type NameRecovery,
  nameRecovery,
  type RecoveredVersion,
  type StoredLine,
} from '@heirloom/adapters/internal/name-recovery'
import type { OwnedName, SavedVersion, TokenId } from '@heirloom/core'
import type { PublicClient } from 'viem'
import { versionSizes } from '../line-tokens.ts'
import { hasJobs, type OpenSide } from './side.ts'

/** A name of the old server, and what the new one has of it. */
export type CarriedName = OwnedName & {
  /** The number of its versions in the old registry, and of those whose tokens were carried over. */
  readonly versions: number
  readonly carried: number
  /** The reason why nothing was added. */
  readonly left?: Exclude<StoredLine['kind'], 'begun'>
}

export declare namespace carryNames {
  type Input = {
    readonly from: OpenSide
    readonly to: OpenSide
    /** A client of the new chain. */
    readonly client: PublicClient
    /** The new ids of the tokens that were carried over. */
    readonly moved: ReadonlyMap<TokenId, TokenId>
  }
}

/**
 * Adds the names of the old server to those of the new one, with the tokens that their versions have
 * there: as many as were carried over before the first that was not. What the new server has stays as
 * it is, so this can be run again.
 */
export async function carryNames(input: carryNames.Input): Promise<readonly CarriedName[]> {
  const { from, to } = input
  if (!hasJobs(from)) return []
  const old = nameRecovery(await from.jobStore(), from.registry)
  const names = await old.names()
  if (names.length === 0) return []
  const present = nameRecovery(await to.jobStore(), to.registry)
  const carried: CarriedName[] = []
  for (const of of names) carried.push(await carryName(input, present, of, await old.versions(of)))
  return carried
}

async function carryName(
  input: carryNames.Input,
  present: NameRecovery,
  of: OwnedName,
  versions: readonly SavedVersion[],
): Promise<CarriedName> {
  const first = versions.findIndex(({ tokenId }) => !input.moved.has(tokenId))
  const going = first < 0 ? versions : versions.slice(0, first)
  const name = { ...of, versions: versions.length, carried: going.length }
  if (going.length === 0) return name
  const ids = going.map(({ tokenId }) => input.moved.get(tokenId) as TokenId)
  const stored = await present.compare(of, ids)
  if (stored.kind !== 'begun') return { ...name, left: stored.kind }
  if (stored.missing.length === 0) return name
  const rows = await movedVersions(input, going, ids, stored.missing.length)
  const isAdded = await present.append(of, stored.versions, rows)
  return isAdded ? name : { ...name, left: 'held' }
}

/** Returns the last versions of a name as the new server has them. */
async function movedVersions(
  { to, client }: carryNames.Input,
  versions: readonly SavedVersion[],
  ids: readonly TokenId[],
  count: number,
): Promise<readonly RecoveredVersion[]> {
  const reader = pairReader(client, to.chain.contracts)
  const tokens: RecordedToken[] = []
  // One by one: a name may have thousands of versions, and a node bounds what it answers at once.
  for (const id of ids.slice(-count - 1)) tokens.push(await reader.token(id))
  const [earlier, added] = [tokens.slice(0, -count), tokens.slice(-count)]
  const sizes = await versionSizes(to.blobStore.get, earlier, added)
  return versions.slice(-count).map(({ version: _, ...saved }, at) => {
    const { tokenId, digest } = added[at] as RecordedToken
    // Its transaction is one of the old chain.
    return { ...saved, tokenId, digest, txHash: undefined, storedBytes: sizes.get(digest) ?? 0 }
  })
}
