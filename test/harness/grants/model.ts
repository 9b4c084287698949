import type { Account, Grant, GrantId, Hex, Name, TokenId } from '@heirloom/core'
import type { LocalAccount } from 'viem'

/** One of four accounts; the last one is a contract wallet of the first two. */
export type Party = { readonly address: Account; readonly wallet: LocalAccount }

/** An outcome: `done`, or the code of the failure. */
export type Outcome = string

export type Token = {
  readonly id: TokenId
  owner: Party
  before: Party
  transfers: bigint
  isErased: boolean
  /** The ends of rentals, in seconds. */
  readonly rentals: Map<Account, number>
  /** The number of openings in the time of each owner. */
  readonly opened: Map<Account, number>
}

/** A private name of an account, with its versions, the first one first. */
export type Line = {
  readonly owner: Party
  text: Name
  readonly versions: { readonly token: Token; readonly savedBy: Party }[]
}

export type Tracked = {
  readonly id: GrantId
  readonly grant: Grant
  readonly signature: Hex
  /** The token, or the first version of the name. */
  readonly token: Token
  readonly owner: Party
  readonly reader: Party
  isDeposited: boolean
  isRevoked: boolean
}

/** The reader of grants, and their owner. */
export type Pair = Pick<Tracked, 'reader' | 'owner'>

export type Model = {
  readonly parties: readonly Party[]
  readonly tokens: Token[]
  readonly lines: Line[]
  readonly grants: Tracked[]
  /** The owners that accounts accepted; not surely where no grant of theirs need be remembered any more. */
  readonly accepted: Map<string, { readonly of: Pair; isSure: boolean }>
  /** The least time of signing of the grants that count, of each owner. */
  readonly floors: Map<Account, number>
  readonly tally: Tally
}

/** The numbers of all stories. */
export type Tally = Record<
  | 'commands'
  | 'given'
  | 'refused'
  | 'saved'
  | 'unsaved'
  | 'listed'
  | 'bytesBeyond'
  | 'wronglyRefused'
  | 'wronglySaved',
  number
>

export const noTally = (): Tally => ({
  commands: 0,
  given: 0,
  refused: 0,
  saved: 0,
  unsaved: 0,
  listed: 0,
  bytesBeyond: 0,
  wronglyRefused: 0,
  wronglySaved: 0,
})

/** Returns a token that was just minted. */
export const newToken = (id: TokenId, owner: Party): Token => ({
  id,
  owner,
  before: owner,
  transfers: 0n,
  isErased: false,
  rentals: new Map(),
  opened: new Map(),
})

export const isEnded = ({ grant }: Tracked, now: number): boolean => grant.expires <= now

export const stillOwns = ({ grant, owner, token }: Tracked): boolean =>
  token.owner === owner && token.transfers === grant.transferCount

/** Returns the name that a grant is of, where it is there still and begins as it did. */
export const lineOf = ({ lines }: Model, { grant, owner, token }: Tracked): Line | undefined =>
  lines.find(
    (it) => it.owner === owner && it.text === grant.name && it.versions[0]?.token === token,
  )

const isLive = (it: Tracked, now: number) => it.isDeposited && !it.isRevoked && !isEnded(it, now)

export const pairOf = ({ reader, owner }: Pair) => `${reader.address} ${owner.address}`

/** Returns the grants that are live, of an owner to a reader. */
export const liveOf = (model: Model, pair: Pair, now: number): readonly Tracked[] =>
  model.grants.filter((it) => pairOf(it) === pairOf(pair) && isLive(it, now))

/** Notes whose acceptance may have ended with the last grant that is remembered: a day after its end. */
export function noteForgotten({ accepted, grants, floors }: Model, now: number): void {
  const isHeld = ({ isDeposited, grant, owner }: Tracked) =>
    isDeposited &&
    grant.expires >= now - 86_400 &&
    grant.issuedAt >= (floors.get(owner.address) ?? 0)
  for (const [key, it] of accepted) {
    it.isSure &&= grants.some((one) => pairOf(one) === key && isHeld(one))
  }
}

/** Returns whether a grant lets its reader read a token now. */
export function counts(model: Model, it: Tracked, token: Token, now: number): boolean {
  if (!isLive(it, now) || token.isErased) return false
  if (it.grant.name === '') return it.token === token && stillOwns(it)
  const isVersion = lineOf(model, it)?.versions.some((of) => of.token === token)
  return isVersion === true && token.owner === it.owner && token.transfers === 0n
}

/** Returns the name whose versions a grant lets its reader list, or save with that right. */
export const grantedLine = (model: Model, it: Tracked, now: number): Line | undefined =>
  isLive(it, now) && it.grant.name !== '' ? lineOf(model, it) : undefined

export const mayRead = ({ owner, rentals, isErased }: Token, { address }: Party, now: number) =>
  !isErased && (owner.address === address || (rentals.get(address) ?? 0) > now)

export function predictDeposit(model: Model, it: Tracked, now: number): Outcome {
  if (isEnded(it, now) || it.owner === it.reader) return 'grant/malformed'
  const problem = it.grant.name === '' ? problemOfToken(it) : problemOfName(model, it)
  if (problem !== undefined) return problem
  const floor = model.floors.get(it.owner.address) ?? 0
  return it.isRevoked || it.grant.issuedAt < floor ? 'grant/revoked' : 'done'
}

function problemOfToken(it: Tracked): Outcome | undefined {
  if (it.token.owner !== it.owner) return 'token/not-owner'
  if (!stillOwns(it)) return 'grant/malformed'
  return it.token.isErased ? 'memory/erased' : undefined
}

const problemOfName = (model: Model, it: Tracked) =>
  lineOf(model, it) === undefined ? 'grant/malformed' : undefined

/** Revokes the grants of a name that were deposited. Returns how many of them had not ended. */
export function endGrantsOf(model: Model, owner: Party, text: Name, now: number): number {
  const of = ({ grant, ...it }: Tracked) => it.owner === owner && grant.name === text
  const ended = model.grants.filter((it) => of(it) && it.isDeposited && !it.isRevoked)
  for (const it of ended) it.isRevoked = true
  return ended.filter((it) => !isEnded(it, now)).length
}
