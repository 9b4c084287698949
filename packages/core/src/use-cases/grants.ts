import { Failure, isFailure } from '../failure.ts'
import { type Erasures, refuseErased } from '../ports/erasures.ts'
import type { DepositedGrant, GrantBounds, GrantId, Grants } from '../ports/grants.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Names } from '../ports/names.ts'
import type { Ports } from '../ports/ports.ts'
import { type Holding, proofWindowSeconds, refuseStale } from '../tokens/access.ts'
import { type Grant, grantLabel, readAndSave, requireGrant, stands } from '../tokens/grant.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Account, Digest, Hex, Instant, TokenId } from '../values/branded.ts'
import { sameAccount } from '../values/hex.ts'
import { accountOf, type Name, type OwnedName, ownerOfAccount } from '../values/name.ts'
import { day, later, toSeconds } from '../values/time.ts'
import type { download } from './download.ts'
import { proofFailures, type ReaderProof, type ReaderRight } from './prove-account.ts'
import type { outline, part, searchIn, selectIn } from './read-inside.ts'

/** The parts of the use cases of grants. */
export type GrantParts = Pick<Ports, 'clock'> & {
  readonly ledger: Pick<Ledger, 'holding' | 'isSignedByKey' | 'isSignedByCreator'>
  readonly grants: Grants
  readonly names: Pick<Names, 'versionOf'>
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
  ...proofFailures,
  'grant/malformed',
  'grant/revoked',
  'grant/too-many',
  'grant/unavailable',
  'memory/erased',
  'name/unavailable',
  'token/not-found',
  'token/not-owner',
] as const

/**
 * Deposits a grant for the present owner of its token or name, who proves that it brings the grant itself.
 * Returns the id of the grant, and the others of the same to the same account, where it was not here
 * before: who brings it again learns of none. The proof counts for 120 seconds, and for a day where only
 * a contract can verify it. Contracts are asked last, but for a name, which nobody learns of who did not
 * sign.
 *
 * @throws `grant/malformed`, `grant/revoked`, `grant/too-many`, `grant/unavailable`, `proof/stale`,
 * `proof/not-signed`, `token/not-found`, `token/not-owner`, `memory/erased`, `name/unavailable`,
 * `ledger/unavailable`, `service/busy`
 */
export async function depositGrant(
  { clock, ledger, grants, names, idOf, bounds, erasedAt }: GrantParts,
  { grant, signature, label, origin, proof }: depositGrant.Input,
): Promise<depositGrant.Output> {
  const { owner } = grant
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
  // Anybody sees whose a token is, but only its owner learns that there is a name.
  const isNamed = grant.name !== ''
  if (!isNamed) await requireOwn({ ledger, erasedAt }, grant)
  for (const statement of statements) {
    await requireSigned(ledger, statement, isNamed ? undefined : 'owner')
  }
  if (isNamed) await requireBegun(names, grant)
  const { items } = await grants.list(owner, { limit: bounds.ofOwner, now })
  await grants.deposit({ id, grant, signature, label: text }, { client: proof.client, now, bounds })
  return { id, others: othersIn(items, id, grant) }
}

/** Returns the grants of the same as a new one; none where it is among them. */
function othersIn(all: readonly DepositedGrant[], id: GrantId, grant: Grant) {
  return all.some((it) => it.id === id) ? [] : all.filter((it) => isOfSame(it.grant, grant))
}

/** Returns whether two grants of one owner let the same account read the same memory or name. */
const isOfSame = (one: Grant, other: Grant): boolean =>
  sameAccount(one.reader, other.reader) &&
  one.name === other.name &&
  one.tokenId === other.tokenId &&
  one.transferCount === other.transferCount

export declare namespace depositGrant {
  type Output = { readonly id: GrantId; readonly others: readonly DepositedGrant[] }
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

type Owned = Pick<GrantParts, 'erasedAt'> & { readonly ledger: Pick<Ledger, 'holding'> }

async function requireOwn({ ledger, erasedAt }: Owned, grant: Grant): Promise<void> {
  const { tokenId, owner } = grant
  const holding = requireFound(tokenId, await ledger.holding(tokenId))
  if (!sameAccount(holding.owner, owner)) {
    throw new Failure('token/not-owner', { tokenId, account: owner })
  }
  if (erasedAt !== undefined) refuseErased(grant.digest, { find: erasedAt })
  if (stands(grant, holding)) return
  const problem = `is of token ${tokenId} as it was before; sign one for its ${holding.transferCount} transfers and its present memory`
  throw new Failure('grant/malformed', { problem })
}

/** Requires that a name of the owner begins with the version that a grant names. */
async function requireBegun(names: GrantParts['names'], grant: Grant): Promise<void> {
  if (await hasBegun(names, grant)) return
  const { tokenId, owner, name } = grant
  const problem = `is of ${name}, and ${owner} has no such name here that begins with token ${tokenId}; only the names of an account can be granted, not those of the server, a tenant or an API key: save it with a wallet of its own, or grant the token alone`
  throw new Failure('grant/malformed', { problem })
}

/** Returns whether the name of a grant is there still, with the same first version. */
async function hasBegun(names: GrantParts['names'], grant: Grant): Promise<boolean> {
  const first = await names.versionOf(lineOf(grant), grant.tokenId)
  return first?.version === 1 && first.digest === grant.digest
}

const lineOf = ({ owner, name }: Grant): OwnedName => ({
  owner: ownerOfAccount(owner),
  name: name as Name,
})

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
  ...proofFailures,
  'grant/too-many',
  'grant/unavailable',
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
  (parts: grantedRight.Parts, { id, origin }: grantedRight.Input): ReaderRight =>
  async ({ tokenId, account }) => {
    const found = await parts.grants.find(id)
    if (found === undefined || !isMeant(found.grant, { account, origin })) {
      throw denied(account, tokenId)
    }
    const holding = await grantedHolding(parts, found.grant, tokenId)
    if (holding === undefined || !(await isStillSigned(parts, found))) {
      throw denied(account, tokenId)
    }
    return { access: holding, right: { kind: 'grant', grant: id, label: found.label } }
  }

export declare namespace grantedRight {
  type Parts = Pick<GrantParts, 'clock' | 'ledger' | 'grants' | 'names'> & {
    readonly isOwners: OwnerCheck
  }
  type Input = {
    readonly id: GrantId
    /** The origin of this server; absent where it is not known, which no grant names. */
    readonly origin: string | undefined
  }
}

/** Returns the ownership of a token where a grant opens its memory now. */
async function grantedHolding(
  { names, ledger, clock }: Pick<GrantParts, 'names' | 'ledger' | 'clock'>,
  grant: Grant,
  tokenId: TokenId,
): Promise<Holding | undefined> {
  const digest = await grantedDigest(names, grant, tokenId)
  const holding = digest && (await ledger.holding(tokenId))
  if (digest === undefined || holding === undefined) return undefined
  return counts({ ...grant, digest }, holding, clock.now()) ? holding : undefined
}

/** Returns the digest of the memory of a token that a grant is of; `undefined` for another token. */
async function grantedDigest(
  names: GrantParts['names'],
  grant: Grant,
  tokenId: TokenId,
): Promise<Digest | undefined> {
  if (grant.name === '') return grant.tokenId === tokenId ? grant.digest : undefined
  if (!(await hasBegun(names, grant))) return undefined
  return (await names.versionOf(lineOf(grant), tokenId))?.digest
}

const isStillSigned = (
  { isOwners }: Pick<grantedRight.Parts, 'isOwners'>,
  { id, grant, signature }: DepositedGrant,
): Promise<boolean> => isOwners(id, { account: grant.owner, message: { typedHash: id }, signature })

/** The failures of `grantedLine`. */
export const grantedLineFailures = [
  'access/denied',
  'grant/unavailable',
  'ledger/unavailable',
  'name/unavailable',
  'service/busy',
] as const

/**
 * Returns the name that an account may read by a grant, or save to with `isToSave`: the grant gives the
 * right, names this server and has not ended or been revoked, and the name begins as it did. Each other
 * case is the same refusal.
 *
 * @throws `access/denied`, `grant/unavailable`, `name/unavailable`, `ledger/unavailable`, `service/busy`
 */
export async function grantedLine(
  parts: Omit<grantedRight.Parts, 'ledger'>,
  { id, origin, account, isToSave = false }: grantedLine.Input,
): Promise<{ readonly grant: Grant; readonly line: OwnedName }> {
  const found = await parts.grants.find(id)
  if (found === undefined || !isMeant(found.grant, { account, origin })) throw denied(account)
  const { grant } = found
  if (isToSave && grant.rights !== readAndSave) throw denied(account)
  if (!(await isLive(parts, found))) throw denied(account)
  return { grant, line: lineOf(grant) }
}

/** Returns whether a grant of a name has not ended, and its name begins as it did. */
async function isLive(
  parts: Omit<grantedRight.Parts, 'ledger' | 'grants'>,
  found: DepositedGrant,
): Promise<boolean> {
  const { grant } = found
  if (grant.name === '' || grant.expires <= toSeconds(parts.clock.now())) return false
  return (await hasBegun(parts.names, grant)) && isStillSigned(parts, found)
}

/**
 * Returns whether what was minted by a grant may become a version now: the mint is settled where nobody
 * waits for it any more.
 *
 * @throws `grant/unavailable`, `name/unavailable`, `ledger/unavailable`, `service/busy`
 */
export async function maySaveStill(
  parts: Omit<grantedRight.Parts, 'ledger'>,
  id: GrantId,
): Promise<boolean> {
  const found = await parts.grants.find(id)
  return found?.grant.rights === readAndSave && isLive(parts, found)
}

export declare namespace grantedLine {
  type Input = grantedRight.Input & {
    readonly account: Account
    readonly isToSave?: boolean
  }
}

type Meant = { readonly account: Account; readonly origin?: string | undefined }

const isMeant = (grant: Grant, { account, origin }: Meant): boolean =>
  sameAccount(grant.reader, account) && origin !== undefined && grant.holders.includes(origin)

const counts = (grant: Grant, holding: Holding, now: Instant): boolean =>
  grant.expires > toSeconds(later(now, holding.asOf)) && stands(grant, holding)

const denied = (account: Account, tokenId?: TokenId) =>
  new Failure('access/denied', tokenId === undefined ? { account } : { tokenId, account })

/** The parts that change names whose grants end with the change. */
export type NameEnds = Pick<GrantParts, 'clock' | 'grants'> & {
  readonly names: Pick<Names, 'find' | 'rename' | 'forget'>
}

/**
 * Renames a name, and ends its grants, which are of its earlier text. Ends those of the new name
 * first, which an earlier line may have left. Returns how many grants ended.
 *
 * @throws `name/not-found`, `name/taken`, `name/held`, `name/unavailable`, `grant/unavailable`
 */
export async function renameGranted(parts: NameEnds, of: OwnedName, to: Name): Promise<number> {
  const { names } = parts
  const target = { owner: of.owner, name: to }
  const isFree = to !== of.name && (await names.find(target)) === undefined
  if (isFree) await endGrants(parts, target)
  await names.rename(of, to)
  return isFree ? endGrants(parts, of) : 0
}

/**
 * Forgets a name, and ends its grants. Returns how many ended.
 *
 * @throws `name/not-found`, `name/moved`, `name/held`, `name/unavailable`, `grant/unavailable`
 */
export async function forgetGranted(
  parts: NameEnds,
  of: OwnedName,
  last?: TokenId,
): Promise<number> {
  await parts.names.forget(of, last)
  return endGrants(parts, of)
}

/** Ends the grants of a name. Returns how many ended: none of a name that no account owns. */
export async function endGrants(
  { grants, clock }: Pick<NameEnds, 'grants' | 'clock'>,
  { owner, name }: OwnedName,
): Promise<number> {
  const account = accountOf(owner)
  return account === undefined ? 0 : grants.revokeName(account, name, clock.now())
}

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
        throw isFailure(error, 'proof/not-bound') ? denied(proof.account, tokenId) : error
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
