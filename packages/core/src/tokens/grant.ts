import { Failure } from '../failure.ts'
import type { Account, Digest, Hex, Instant, TokenId } from '../values/branded.ts'
import { nobody, sameAccount } from '../values/hex.ts'
import { misleadingSpace, misleadingText } from '../values/misleading-text.ts'
import { nameProblem } from '../values/name.ts'
import { printTime } from '../values/print-time.ts'
import { day, fromSeconds, toSeconds } from '../values/time.ts'
import { type Holding, proofWindowSeconds } from './access.ts'

/** The leave of an owner that another account may read a memory, as the owner signs it (EIP-712). */
export type Grant = {
  /** The sentence that says all of the rest to a person: `grantStatement`. */
  readonly statement: string
  readonly owner: Account
  readonly reader: Account
  /** The token, or the first version of the name. */
  readonly tokenId: TokenId
  /** The transfers of the token when it was signed: a grant ends with the next one, for good. 0 with a name. */
  readonly transferCount: bigint
  /** The digest of the sealed memory. */
  readonly digest: Digest
  /** The private name whose versions may be read; empty for one token alone. */
  readonly name: string
  /** The rights: `read`, or `read and save` of a name. */
  readonly rights: string
  /** The servers where it counts: origins, or `keeper:` and an id; sorted. */
  readonly holders: readonly string[]
  /** When it was signed, and when it ends, in seconds since 1970. */
  readonly issuedAt: number
  readonly expires: number
  /** Any 32 bytes; grants that are alike differ in them. */
  readonly salt: Hex
}

/** The right to save the next version of a name, too. */
export const readAndSave = 'read and save'

/** The longest time of a grant, in seconds: 366 days. */
export const longestGrant = (366 * day) / 1000

/** The most servers that a grant names. */
const mostHolders = 16

/** The most characters of a label. */
const longestLabel = 64

const origin =
  /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]{2,45}\])(?::[1-9][0-9]{0,4})?$/
const keeper = /^keeper:[A-Za-z0-9._-]{1,64}$/

/** Returns the sentence that an owner signs, so that a wallet shows in words what the rest says. */
export function grantStatement(grant: Omit<Grant, 'statement' | 'salt'>): string {
  const { reader, rights, tokenId, name, expires, holders } = grant
  const what = name === '' ? `token ${tokenId}` : `${name}, begun as token ${tokenId}`
  const [end] = printTime(fromSeconds(expires)).split(' ')
  return `I let ${reader} ${rights} the memory of ${what} until ${end} (UTC), as long as I own it, at ${holders.join(', ')}. I can take this back.`
}

/**
 * Refuses a grant that says something else than its statement, or exceeds a bound of time or number.
 *
 * @throws `grant/malformed`
 */
export function requireGrant(grant: Grant, now: Instant): void {
  const problem = problemOf(grant, toSeconds(now))
  if (problem !== undefined) throw new Failure('grant/malformed', { problem })
}

function problemOf(grant: Grant, now: number): string | undefined {
  return (
    problemOfAccounts(grant) ??
    problemOfTimes(grant, now) ??
    problemOfHolders(grant) ??
    problemOfRights(grant)
  )
}

function problemOfAccounts({ owner, reader }: Grant): string | undefined {
  if ([owner, reader].some((it) => sameAccount(it, nobody))) return 'names the zero address'
  return sameAccount(owner, reader) ? 'lets the owner read what it can read anyway' : undefined
}

function problemOfTimes({ issuedAt, expires }: Grant, now: number): string | undefined {
  if (!isTime(issuedAt) || !isTime(expires)) return 'has a time that is no whole second'
  if (issuedAt > now + proofWindowSeconds) return 'is signed in the future; set the clock'
  if (expires <= now)
    return 'ends before it begins, or has ended; choose a later end and sign a new one'
  const isTooLong = expires > issuedAt + longestGrant
  return isTooLong ? 'ends more than 366 days after it is signed; choose an earlier end' : undefined
}

const isTime = (seconds: number) => Number.isSafeInteger(seconds) && seconds >= 0

function problemOfHolders({ holders }: Grant): string | undefined {
  const isUsable = (it: string) => it.length <= 255 && (origin.test(it) || keeper.test(it))
  if (holders.length === 0 || holders.length > mostHolders) return 'must name 1 to 16 servers'
  if (!holders.every(isUsable)) {
    return 'must name servers by their origins, such as https://memories.example'
  }
  const isSorted = holders.every((it, at) => at === 0 || (holders[at - 1] ?? '') < it)
  return isSorted ? undefined : 'must name each server once, in the order of the alphabet'
}

function problemOfRights(grant: Grant): string | undefined {
  const { name, rights, statement, transferCount } = grant
  const problem = name === '' ? undefined : nameProblem(name)
  if (problem !== undefined) return `has a name that ${problem}`
  if (name !== '' && transferCount !== 0n) return 'is of a name, and counts transfers; give 0'
  if (rights !== 'read' && !(rights === readAndSave && name !== ''))
    return 'gives another right than read, or read and save of a name; give one of these'
  return statement === grantStatement(grant)
    ? undefined
    : 'has a statement that does not say the rest'
}

/**
 * Returns a label of a grant, which its owner alone sees.
 *
 * @throws `grant/malformed`
 */
export function grantLabel(text: string): string {
  const problem =
    [...text].length > longestLabel
      ? `has more than ${longestLabel} characters`
      : text === ''
        ? undefined
        : (misleadingText(text) ?? misleadingSpace(text))
  if (problem === undefined) return text
  throw new Failure('grant/malformed', { problem: `has a label that ${problem}` })
}

/** Returns whether the signer of a grant owns the same memory still, without a break. */
export const stands = (grant: Grant, holding: Holding): boolean =>
  sameAccount(holding.owner, grant.owner) &&
  holding.transferCount === grant.transferCount &&
  holding.digest === grant.digest
