import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import { type Account, Failure, type Registry, sameAccount, type TokenId } from '@heirloom/core'
import { decodeBigints, encodeBigints } from '../api/bigint-json.ts'
import { migrationFile, openJournal } from './migration-journal.ts'

/** The tokens of earlier registries that a server has, by the ids that they had there. */
export type MovedTokens = {
  /** The registries whose tokens were carried over, the newest first. */
  readonly registries: readonly Registry[]
  /** Returns the id of a token here; `undefined` if it was not carried over. */
  readonly find: (registry: Registry, tokenId: TokenId) => TokenId | undefined
}

/** The tokens that one migration carried over. */
type Move = {
  readonly from: Registry
  readonly to: Registry
  readonly moved: ReadonlyMap<TokenId, TokenId>
}

/** The file in a data folder that holds the moves before the last one, which is in its journal. */
const earlierFile = 'earlier-moves.json'

/** The files in a data folder that say what was carried over; nothing else knows it. */
export const moveFiles: readonly string[] = [migrationFile, earlierFile]

/**
 * Reads what was carried over to a registry: by the migration into its data folder, and by those into
 * the folders before it.
 *
 * @throws `config/invalid` when a file is damaged
 */
export function readMovedTokens(folder: string, own: Registry): MovedTokens {
  const moves = [...lastMove(folder), ...earlierMoves(folder)]
  // The oldest first, so that a token follows all moves after its own; one that is here stays.
  const find: MovedTokens['find'] = (at, id) => {
    const end = moves
      .toReversed()
      .reduce<Place>((place, move) => (isSame(place.at, own) ? place : follow(place, move)), {
        at,
        id,
      })
    return isSame(end.at, own) ? end.id : undefined
  }
  return { registries: moves.map(({ from }) => from), find }
}

type Place = { readonly at: Registry; readonly id: TokenId | undefined }

const follow = (place: Place, { from, to, moved }: Move): Place =>
  isSame(place.at, from) && place.id !== undefined ? { at: to, id: moved.get(place.id) } : place

/** Returns what a server knows whose memories were never moved. */
export const noMoves = ({ chainId, registry }: OwnRegistry): MovedTokens => ({
  registries: [],
  find: (of, tokenId) => (isSame(of, { chainId, address: registry }) ? tokenId : undefined),
})

type OwnRegistry = { readonly chainId: number; readonly registry: Account }

/** Copies what the folder of the old server knows of moves before into that of the new one. */
export function keepEarlierMoves(from: string, to: string): void {
  const moves = [...lastMove(from), ...earlierMoves(from)]
  if (moves.length === 0) return
  const rows = moves.map(({ moved, ...move }) => ({ ...move, moved: [...moved] }))
  replaceFile(join(to, earlierFile), JSON.stringify(rows, encodeBigints))
}

function lastMove(folder: string): readonly Move[] {
  if (!existsSync(join(folder, migrationFile))) return []
  const { round, progress } = openJournal(folder).state()
  if (round === undefined) return []
  return [{ from: round.from, to: round.to, moved: progress.moved }]
}

function earlierMoves(folder: string): readonly Move[] {
  const path = join(folder, earlierFile)
  if (!existsSync(path)) return []
  try {
    const rows = JSON.parse(readFileSync(path, 'utf8'), decodeBigints) as readonly {
      readonly from: Registry
      readonly to: Registry
      readonly moved: readonly (readonly [TokenId, TokenId])[]
    }[]
    return rows.map(({ moved, ...move }) => ({ ...move, moved: new Map(moved) }))
  } catch (cause) {
    const problem = 'is damaged; copy it from the data folder of the old server'
    throw new Failure('config/invalid', { name: path, problem }, { cause })
  }
}

const isSame = (one: Registry, other: Registry): boolean =>
  one.chainId === other.chainId && sameAccount(one.address, other.address)
