import type { TokenId } from '../values/branded.ts'
import {
  type MigratingToken,
  type MigrationCourse,
  type MigrationProgress,
  type MigrationStep,
  rentalName,
} from './migration.ts'

/** A transaction of a migration that ended. */
export type MigrationOutcome =
  /** It succeeded. `ids` are the new tokens of a mint or of the forks, in the order of the step. */
  | { readonly kind: 'done'; readonly step: MigrationStep; readonly ids: readonly TokenId[] }
  /** It did not happen, and never will. */
  | { readonly kind: 'failed'; readonly step: MigrationStep }

/** The progress of a migration that has done nothing. */
export const noProgress: MigrationProgress = {
  moved: new Map(),
  handedOver: new Set(),
  rented: new Set(),
  listed: new Set(),
}

/**
 * Returns the progress after an outcome. After a set-up that failed, the whole family of its token is
 * forgotten and minted anew: somebody may have forked or rented the token while it was offered, and
 * must not open the memory.
 */
export function advance(
  course: MigrationCourse,
  progress: MigrationProgress,
  outcome: MigrationOutcome,
): MigrationProgress {
  const { step } = outcome
  if (outcome.kind === 'failed') {
    return step.kind === 'set-up' ? abandon(course, progress, step.tokenId) : progress
  }
  const moved = (tokens: readonly TokenId[]) =>
    new Map([...progress.moved, ...pairsOf(tokens, outcome.ids)])
  switch (step.kind) {
    case 'mint':
      return { ...progress, moved: moved(step.tokens) }
    case 'set-up': {
      const names = step.rentals.map((rental) => rentalName(step.tokenId, rental))
      const rented = union(progress.rented, names)
      return { ...progress, moved: moved(step.forks), rented }
    }
    case 'hand-over':
      return { ...progress, handedOver: union(progress.handedOver, step.tokens) }
    case 'list':
      return { ...progress, listed: union(progress.listed, step.tokens) }
  }
}

/** Returns the snapshot that a token was forked from through licensed forks, or the token itself. */
export function sourceIn({ carried }: MigrationCourse, tokenId: TokenId): TokenId {
  let [id, token] = [tokenId, carried.get(tokenId)]
  while (token?.royaltyBps !== undefined && token.parent !== undefined) {
    id = token.parent
    token = carried.get(id)
  }
  return id
}

/** Returns a token and all licensed forks below it. */
export function familyOf(course: MigrationCourse, tokenId: TokenId): readonly TokenId[] {
  const forks: readonly MigratingToken[] = course.forksOf.get(tokenId) ?? []
  return [tokenId, ...forks.flatMap((fork) => familyOf(course, fork.tokenId))]
}

const union = <T>(one: ReadonlySet<T>, more: readonly T[]): ReadonlySet<T> =>
  new Set([...one, ...more])

type Pair = readonly [TokenId, TokenId]

const pairsOf = (tokens: readonly TokenId[], ids: readonly TokenId[]): readonly Pair[] =>
  tokens.flatMap((tokenId, index): readonly Pair[] => {
    const id = ids[index]
    return id === undefined ? [] : [[tokenId, id]]
  })

function abandon(
  course: MigrationCourse,
  progress: MigrationProgress,
  tokenId: TokenId,
): MigrationProgress {
  const family = new Set(familyOf(course, sourceIn(course, tokenId)))
  const names = [...family].flatMap((id) =>
    (course.carried.get(id)?.rentals ?? []).map((rental) => rentalName(id, rental)),
  )
  return {
    ...progress,
    moved: new Map([...progress.moved].filter(([id]) => !family.has(id))),
    rented: new Set([...progress.rented].filter((name) => !names.includes(name))),
  }
}
