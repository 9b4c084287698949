import type { Account, Instant, TokenId } from '../values/branded.ts'
import { sameAccount } from '../values/hex.ts'
import { type LiveTerms, offersNothing } from './listing.ts'
import type { Provenance } from './provenance.ts'

/** Why a token is not carried over to another registry. */
export type StayReason =
  /** Its creator, who must sign the mint, is not here. */
  | 'creator-absent'
  /** Its parent is not carried over, or is already with its owner, who alone can license forks. */
  | 'parent-stays'
  /** It shows a memory that was sealed for another creator, registry or content. */
  | 'copied'
  /** Its memory cannot be opened here: the key, or the sealed bytes, are missing or damaged. */
  | 'unreadable'
  /** Its owner is a contract, and on the other chain somebody else may have its address. */
  | 'owner-is-contract'
  /** The private key of its owner, or of its creator, is public. */
  | 'key-is-public'
  /** The other registry, its marketplace or its forwarder has the address of the owner. */
  | 'owner-is-contracts'
  /** The other registry has the memory of this creator already, and another account owns it. */
  | 'there-with-another-owner'
  /** It was transferred after the cut-off. */
  | 'transferred-since'

/** A rental that runs at the cut-off. */
export type RunningRental = { readonly renter: Account; readonly expiresAt: Instant }

/** A token of a registry, as it was at the cut-off. */
export type MigratingToken = Omit<Provenance, 'mintedAt'> & {
  readonly owner: Account
  /** The share that it newly owes to its parent's creator; absent when it is no licensed fork. */
  readonly royaltyBps: number | undefined
  readonly rentals: readonly RunningRental[]
  readonly terms: LiveTerms
  /** The reason found to leave it; absent when there is none. */
  readonly obstacle: StayReason | undefined
}

/** The tokens of a migration in the order of their ids, and the reason of each that stays. */
export type MigrationPlan = {
  readonly carried: readonly MigratingToken[]
  readonly staying: ReadonlyMap<TokenId, StayReason>
}

export declare namespace planMigration {
  type Input = {
    /** All tokens, in the order of their ids. */
    readonly tokens: readonly MigratingToken[]
    /** Returns whether the key of an account is here. */
    readonly signs: (account: Account) => boolean
    /** The tokens that were carried over before, and their ids in the other registry. */
    readonly moved: ReadonlyMap<TokenId, TokenId>
  }
}

/**
 * Decides which tokens are carried over. A token goes only with its creator and its parent: another
 * creator would get its royalties, and without the parent its lineage would be another. A licensed
 * fork goes in the same migration as its parent, whose owner licenses it before it is handed over.
 */
export function planMigration({ tokens, signs, moved }: planMigration.Input): MigrationPlan {
  const carried = new Map<TokenId, MigratingToken>()
  const staying = new Map<TokenId, StayReason>()
  const hasParent = ({ parent, royaltyBps }: MigratingToken) =>
    parent === undefined || carried.has(parent) || (royaltyBps === undefined && moved.has(parent))
  const reasonFor = (token: MigratingToken): StayReason | undefined => {
    if (token.obstacle !== undefined) return token.obstacle
    if (!signs(token.creator)) return 'creator-absent'
    return hasParent(token) ? undefined : 'parent-stays'
  }
  for (const token of tokens) {
    if (moved.has(token.tokenId)) continue
    const reason = reasonFor(token)
    if (reason === undefined) carried.set(token.tokenId, token)
    else staying.set(token.tokenId, reason)
  }
  return { carried: [...carried.values()], staying }
}

/** The most tokens or acts of one transaction, so that it fits into a block of any chain. */
export const maxMigrationBatch = 40

/**
 * One transaction of a migration. `mint` mints snapshots of one creator. `set-up` forks and rents out
 * a token that its creator still holds. `hand-over` gives tokens to their owners, once their whole
 * families are set up. `list` offers tokens of one owner again.
 */
export type MigrationStep =
  | { readonly kind: 'mint'; readonly creator: Account; readonly tokens: readonly TokenId[] }
  | {
      readonly kind: 'set-up'
      readonly tokenId: TokenId
      readonly forks: readonly TokenId[]
      readonly rentals: readonly RunningRental[]
    }
  | { readonly kind: 'hand-over'; readonly tokens: readonly TokenId[] }
  | { readonly kind: 'list'; readonly owner: Account; readonly tokens: readonly TokenId[] }

/** Returns the old tokens that a step mints anew. */
export const tokensMintedBy = (step: MigrationStep): readonly TokenId[] =>
  step.kind === 'mint' ? step.tokens : step.kind === 'set-up' ? step.forks : []

/** The part of a migration that is done. */
export type MigrationProgress = {
  /** The new ids by the old ones. */
  readonly moved: ReadonlyMap<TokenId, TokenId>
  /** The tokens that their creators held and handed over. */
  readonly handedOver: ReadonlySet<TokenId>
  /** The rentals that were made, by `rentalName`. */
  readonly rented: ReadonlySet<string>
  readonly listed: ReadonlySet<TokenId>
}

/** Returns the name of a rental in the progress of a migration. */
export const rentalName = (tokenId: TokenId, { renter }: Pick<RunningRental, 'renter'>): string =>
  `${tokenId} ${renter}`

/** The tokens of a plan by their ids, and their licensed forks. */
export type MigrationCourse = {
  readonly carried: ReadonlyMap<TokenId, MigratingToken>
  readonly forksOf: ReadonlyMap<TokenId, readonly MigratingToken[]>
}

/** Returns the course of the carried tokens of a plan. */
export function courseOf(carried: readonly MigratingToken[]): MigrationCourse {
  const forksOf = new Map<TokenId, MigratingToken[]>()
  for (const token of carried) {
    if (token.royaltyBps === undefined || token.parent === undefined) continue
    forksOf.set(token.parent, [...(forksOf.get(token.parent) ?? []), token])
  }
  return { carried: new Map(carried.map((token) => [token.tokenId, token])), forksOf }
}

/** Returns whether its creator must hold a token for a while, to license its forks and rentals. */
export const needsSetUp = ({ forksOf }: MigrationCourse, token: MigratingToken): boolean =>
  token.rentals.length > 0 || forksOf.has(token.tokenId)

/** Returns whether a token is offered. */
export const isOffered = ({ terms }: Pick<MigratingToken, 'terms'>): boolean =>
  !offersNothing(terms.dollars ?? terms)

export declare namespace nextStep {
  type Options = {
    /** Returns whether the listing of a token is carried over. */
    readonly lists: (token: MigratingToken) => boolean
  }
}

/**
 * Returns the next transaction of a migration; `undefined` when nothing is left to do. What is minted
 * is set up and handed over before anything else is minted.
 */
export function nextStep(
  course: MigrationCourse,
  progress: MigrationProgress,
  options: nextStep.Options,
): MigrationStep | undefined {
  return (
    nextSetUp(course, progress) ??
    nextHandOver(course, progress) ??
    nextMint(course, progress) ??
    nextList(course, progress, options)
  )
}

function nextSetUp(
  { carried, forksOf }: MigrationCourse,
  { moved, rented }: MigrationProgress,
): MigrationStep | undefined {
  for (const { tokenId, rentals: running } of carried.values()) {
    if (!moved.has(tokenId)) continue
    const forks = (forksOf.get(tokenId) ?? [])
      .filter((fork) => !moved.has(fork.tokenId))
      .slice(0, maxMigrationBatch)
      .map((fork) => fork.tokenId)
    const rentals = running
      .filter((rental) => !rented.has(rentalName(tokenId, rental)))
      .slice(0, maxMigrationBatch - forks.length)
    if (forks.length + rentals.length > 0) return { kind: 'set-up', tokenId, forks, rentals }
  }
  return undefined
}

function nextHandOver(
  course: MigrationCourse,
  { moved, handedOver }: MigrationProgress,
): MigrationStep | undefined {
  const isHeld = (token: MigratingToken) =>
    moved.has(token.tokenId) &&
    !handedOver.has(token.tokenId) &&
    !sameAccount(token.creator, token.owner) &&
    needsSetUp(course, token)
  const tokens = idsOf([...course.carried.values()].filter(isHeld))
  return tokens.length === 0 ? undefined : { kind: 'hand-over', tokens }
}

function nextMint(
  { carried }: MigrationCourse,
  { moved }: MigrationProgress,
): MigrationStep | undefined {
  const isReady = ({ tokenId, royaltyBps, parent }: MigratingToken) =>
    royaltyBps === undefined && !moved.has(tokenId) && (parent === undefined || moved.has(parent))
  const all = [...carried.values()]
  const first = all.find(isReady)
  if (first === undefined) return undefined
  const { creator } = first
  const ready = all.filter((it) => isReady(it) && sameAccount(it.creator, creator))
  return { kind: 'mint', creator, tokens: idsOf(ready) }
}

function nextList(
  { carried }: MigrationCourse,
  { listed }: MigrationProgress,
  { lists }: nextStep.Options,
): MigrationStep | undefined {
  const isOpen = (token: MigratingToken) =>
    !listed.has(token.tokenId) && isOffered(token) && lists(token)
  const all = [...carried.values()]
  const first = all.find(isOpen)
  if (first === undefined) return undefined
  const { owner } = first
  const open = all.filter((it) => isOpen(it) && sameAccount(it.owner, owner))
  return { kind: 'list', owner, tokens: idsOf(open) }
}

const idsOf = (tokens: readonly MigratingToken[]): readonly TokenId[] =>
  tokens.slice(0, maxMigrationBatch).map(({ tokenId }) => tokenId)
