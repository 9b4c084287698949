import { Failure, isFailure } from '../failure.ts'
import { type Erasures, refuseErased } from '../ports/erasures.ts'
import type { GrantBounds, GrantId, Grants } from '../ports/grants.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import { type Holding, proofWindowSeconds, refuseStale } from '../tokens/access.ts'
import { type Grant, grantLabel, requireGrant, stands } from '../tokens/grant.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Account, Hex, Instant, TokenId } from '../values/branded.ts'
import { sameAccount } from '../values/hex.ts'
import { day, later, toSeconds } from '../values/time.ts'
import type { download } from './download.ts'
import type { ReaderProof, ReaderRight } from './prove-account.ts'
import type { outline, part, searchIn, selectIn } from './read-inside.ts'

/** The parts of the use cases of grants. */
export type GrantParts = Pick<Ports, 'clock'> & {
  readonly ledger: Pick<Ledger, 'holding' | 'isSignedByKey' | 'isSignedByCreator'>
  readonly grants: Grants
  /** Returns the EIP-712 hash of a grant for the registry of the ledger. */
  readonly idOf: (grant: Grant) => GrantId
  readonly bounds: GrantBounds
  /** Returns when a memory was erased; absent where none can be. */
  readonly erasedAt?: Erasures['find'] | undefined
}

/** A text that an owner signed (EIP-191), and the client that brings it. */
type Brought = { readonly message: string; readonly signature: Hex; readonly client: string }

/** The failures of `depositGrant`. */
export const depositGrantFailures = [
  'grant/malformed',
  'grant/revoked',
  'grant/too-many',
  'grant/unavailable',
  'ledger/unavailable',
  'memory/erased',
  'proof/not-signed',
  'proof/stale',
  'service/busy',
  'token/not-found',
  'token/not-owner',
] as const

/**
 * Deposits a grant for the present owner of its token, who proves that it brings the grant itself.
 * Returns the id of the grant. The proof counts for 120 seconds, and for a day where only a contract
 * can verify it. Contracts are asked last.
 *
 * @throws `grant/malformed`, `grant/revoked`, `grant/too-many`, `grant/unavailable`, `proof/stale`,
 * `proof/not-signed`, `token/not-found`, `token/not-owner`, `memory/erased`, `ledger/unavailable`,
 * `service/busy`
 */
export async function depositGrant(
  { clock, ledger, grants, idOf, bounds, erasedAt }: GrantParts,
  { grant, signature, label, origin, proof }: depositGrant.Input,
): Promise<GrantId> {
  const { owner, tokenId } = grant
  const now = clock.now()
  requireGrant(grant, now)
  const text = grantLabel(label)
  if (!grant.holders.includes(origin)) {
    throw new Failure('grant/malformed', { problem: `does not name this server, ${origin}` })
  }
  const id = idOf(grant)
  const statements: readonly Statement[] = [
    { account: owner, message: proof.message, signature: proof.signature },
    { account: owner, message: { typedHash: id }, signature },
  ]
  const byKey = await Promise.all(statements.map(ledger.isSignedByKey))
  if (byKey.includes(false)) throw new Failure('proof/not-signed', { account: owner })
  refuseOld(proof.timestamp, now, byKey[0] === undefined ? dayInSeconds : proofWindowSeconds)
  requireOwn(grant, requireFound(tokenId, await ledger.holding(tokenId)))
  if (erasedAt !== undefined) refuseErased(grant.digest, { find: erasedAt })
  for (const statement of statements) await requireSigned(ledger, statement, 'owner')
  await grants.deposit({ id, grant, signature, label: text }, { client: proof.client, now, bounds })
  return id
}

export declare namespace depositGrant {
  type Input = {
    readonly grant: Grant
    /** The signature of the grant (EIP-712). */
    readonly signature: Hex
    readonly label: string
    /** The origin of this server. */
    readonly origin: string
    /** The proof of the owner; its text names the grant, the label, and the origin of a holder. */
    readonly proof: Brought & {
      /** In seconds since 1970. */
      readonly timestamp: number
    }
  }
}

const dayInSeconds = day / 1000

function refuseOld(timestamp: number, now: Instant, windowSeconds: number): void {
  const age = toSeconds(now) - timestamp
  if (age <= windowSeconds && age >= -proofWindowSeconds) return
  throw new Failure('proof/stale', { signedAt: timestamp * 1000, now, windowSeconds })
}

function requireOwn(grant: Grant, holding: Holding): void {
  const { tokenId, owner } = grant
  if (!sameAccount(holding.owner, owner)) {
    throw new Failure('token/not-owner', { tokenId, account: owner })
  }
  if (stands(grant, holding)) return
  const problem = `is of token ${tokenId} as it was before; sign one for its ${holding.transferCount} transfers and its present memory`
  throw new Failure('grant/malformed', { problem })
}

async function requireSigned(
  ledger: Pick<Ledger, 'isSignedByCreator'>,
  statement: Statement,
  rank?: 'owner',
): Promise<void> {
  if (await ledger.isSignedByCreator(statement, rank)) return
  throw new Failure('proof/not-signed', { account: statement.account })
}

/** The failures of `revokeGrant`. */
export const revokeGrantFailures = [
  'grant/malformed',
  'grant/not-found',
  'grant/too-many',
  'grant/unavailable',
  'ledger/unavailable',
  'proof/not-signed',
  'service/busy',
] as const

/**
 * Revokes a grant for its owner. Any client may bring the signature, at any time. One that was never seen
 * here needs its text, so that it is remembered until its end.
 *
 * @throws `grant/malformed`, `grant/not-found`, `grant/too-many`, `grant/unavailable`,
 * `proof/not-signed`, `ledger/unavailable`, `service/busy`
 */
export async function revokeGrant(
  { clock, ledger, grants, idOf, bounds }: GrantParts,
  { id, owner, grant, message, signature, client }: revokeGrant.Input,
): Promise<void> {
  const now = clock.now()
  if (grant !== undefined) {
    if (idOf(grant) !== id || !sameAccount(grant.owner, owner)) {
      throw new Failure('grant/malformed', { problem: 'is another one than the revoked grant' })
    }
    requireGrant(grant, now)
  }
  const found = await grants.find(id)
  // One who deposited it owned a token: no stranger keeps its contract from being asked.
  const rank = found && sameAccount(found.grant.owner, owner) ? 'owner' : undefined
  await requireSigned(ledger, { account: owner, message, signature }, rank)
  const isRevoked = await grants.revoke({ id, owner, grant }, { client, now, bounds })
  if (!isRevoked) throw new Failure('grant/not-found', { grant: id, owner })
}

export declare namespace revokeGrant {
  type Input = Brought & {
    readonly id: GrantId
    readonly owner: Account
    readonly grant: Grant | undefined
  }
}

/** The failures of `revokeGrants`. */
export const revokeGrantsFailures = [
  'grant/too-many',
  'grant/unavailable',
  'ledger/unavailable',
  'proof/not-signed',
  'proof/stale',
  'service/busy',
] as const

/**
 * Revokes every grant that an owner signed until a time, also those that nobody deposited yet. The
 * signature may be brought at any later time.
 *
 * @throws `proof/stale` for a time in the future, `grant/too-many`, `grant/unavailable`,
 * `proof/not-signed`, `ledger/unavailable`, `service/busy`
 */
export async function revokeGrants(
  { clock, ledger, grants, bounds }: GrantParts,
  { owner, timestamp, message, signature, client }: revokeGrants.Input,
): Promise<void> {
  const now = clock.now()
  if (timestamp > toSeconds(now)) refuseStale({ timestamp }, now)
  await requireSigned(ledger, { account: owner, message, signature })
  await grants.revokeAll(owner, timestamp + 1, { client, now, bounds })
}

export declare namespace revokeGrants {
  type Input = Brought & {
    readonly owner: Account
    /** The last second whose grants are revoked, since 1970. */
    readonly timestamp: number
  }
}

/** Returns whether the owner of a grant stands by its signature now. */
export type OwnerCheck = (id: GrantId, statement: Statement) => Promise<boolean>

/** The longest age of the last yes of an owner, in milliseconds, and the most that are remembered. */
const [longestYes, mostYes] = [60_000, 10_000]

/** Returns a check that asks again a minute after the last yes: a contract may change its owners. */
export function ownerCheck({ clock, ledger }: Pick<GrantParts, 'clock' | 'ledger'>): OwnerCheck {
  const saidYes = new Map<GrantId, Instant>()
  return async (id, statement) => {
    const now = clock.now()
    const last = saidYes.get(id)
    if (last !== undefined && now - last <= longestYes) return true
    saidYes.delete(id)
    if (!(await ledger.isSignedByCreator(statement, 'owner'))) return false
    if (saidYes.size >= mostYes) saidYes.clear()
    saidYes.set(id, now)
    return true
  }
}

/**
 * Returns the right of the reader of a grant: it names this server and has not ended or been revoked,
 * and its signer owns the same memory still. Each other case is the same refusal.
 *
 * @throws `access/denied`, `grant/unavailable`, `ledger/unavailable`, `service/busy`
 */
export const grantedRight =
  (
    { clock, ledger, grants, isOwners }: grantedRight.Parts,
    { id, origin }: grantedRight.Input,
  ): ReaderRight =>
  async ({ tokenId, account }) => {
    const found = await grants.find(id)
    if (found === undefined || !isMeant(found.grant, { tokenId, account, origin })) {
      throw denied(tokenId, account)
    }
    const { grant, signature } = found
    const holding = await ledger.holding(tokenId)
    if (holding === undefined || !counts(grant, holding, clock.now())) {
      throw denied(tokenId, account)
    }
    const statement = { account: grant.owner, message: { typedHash: id }, signature }
    if (!(await isOwners(id, statement))) throw denied(tokenId, account)
    return { access: holding, right: { kind: 'grant', grant: id, label: found.label } }
  }

export declare namespace grantedRight {
  type Parts = Pick<GrantParts, 'clock' | 'ledger' | 'grants'> & { readonly isOwners: OwnerCheck }
  type Input = {
    readonly id: GrantId
    /** The origin of this server; absent where it is not known, which no grant names. */
    readonly origin: string | undefined
  }
}

type Meant = {
  readonly tokenId: TokenId
  readonly account: Account
  readonly origin?: string | undefined
}

const isMeant = (grant: Grant, { tokenId, account, origin }: Meant): boolean =>
  grant.tokenId === tokenId &&
  sameAccount(grant.reader, account) &&
  origin !== undefined &&
  grant.holders.includes(origin)

const counts = (grant: Grant, holding: Holding, now: Instant): boolean =>
  grant.expires > toSeconds(later(now, holding.asOf)) && stands(grant, holding)

const denied = (tokenId: TokenId, account: Account) =>
  new Failure('access/denied', { tokenId, account })

/** The reads that a grant lets an account make. */
export type GrantedReads = {
  download(input: download.Input): Promise<download.Output>
  outline(input: outline.Input): Promise<outline.Output>
  part(input: part.Input): Promise<part.Output>
  searchIn(input: searchIn.Input): Promise<searchIn.Output>
  selectIn(input: selectIn.Input): Promise<selectIn.Output>
}

/**
 * Returns reads by a right alone, which must still be there when the answer is. One who did not sign is
 * refused like one without the right: only the right has a contract asked.
 */
export function readsByRight(service: GrantedReads, right: ReaderRight): GrantedReads {
  const by =
    <Input extends ReaderProof, Output>(read: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      const { tokenId, proof } = input
      return read({ ...input, right }).catch((error: unknown) => {
        throw isFailure(error, 'proof/not-bound') ? denied(tokenId, proof.account) : error
      })
    }
  const { download, outline, part, searchIn, selectIn } = service
  return {
    download: by(download),
    outline: by(outline),
    part: by(part),
    searchIn: by(searchIn),
    selectIn: by(selectIn),
  }
}
