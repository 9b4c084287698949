import {
  type Account,
  type DepositedGrant,
  day,
  Failure,
  type GrantId,
  type GrantPair,
  type GrantRequest,
  type Grants,
  type GrantsInput,
  longestGrant,
  type Revocation,
  sameAccount,
  toSeconds,
} from '@heirloom/core'
import { type Order, pageOf } from './catalogue/pages.ts'

/** A stored grant; a revoked one has no text any more. */
type Stored = {
  readonly owner: Account
  /** Absent for what was never deposited. */
  readonly reader?: Account
  /** True where its reader accepted the owner. */
  readonly isAccepted?: boolean
  readonly client: string
  readonly issuedAt: number
  readonly expires: number
  readonly deposited: DepositedGrant | undefined
}

/** Creates a store of grants in memory. */
export function memoryGrants(): Grants {
  const state: State = { grants: new Map(), floors: new Map() }
  const { grants, floors } = state
  return {
    deposit: async (deposited, request) => {
      forgetEnded(state, request)
      const { id, grant } = deposited
      const { owner, reader, issuedAt, expires } = grant
      const known = grants.get(id)
      const isRevoked = known !== undefined && known.deposited === undefined
      if (isRevoked || issuedAt < floorOf(state, owner)) {
        throw new Failure('grant/revoked', { grant: id })
      }
      if (known === undefined) {
        const stored = [...grants.values()].filter((it) => it.owner === owner)
        refuse('this owner', stored.length, request.bounds.ofOwner)
        requireRoom(state, request)
      }
      const { client } = known ?? request
      const isAccepted = ofPair(state, grant).some(([, it]) => it.isAccepted)
      grants.set(id, { owner, reader, isAccepted, client, issuedAt, expires, deposited })
    },
    find: async (id) => liveOf(state, grants.get(id)?.owner).find((it) => it.id === id),
    revoke: async (revocation, request) => {
      forgetEnded(state, request)
      const { id, owner } = revocation
      const known = grants.get(id) ?? unseen(state, revocation, request)
      if (known?.owner !== owner) return false
      const isBelow = known.issuedAt < floorOf(state, owner)
      if (!isBelow) grants.set(id, { ...known, deposited: undefined })
      return true
    },
    revokeAll: async (owner, before, request) => {
      forgetEnded(state, request)
      const floor = floors.get(owner)
      const isNew = floor === undefined && ![...grants.values()].some((it) => it.owner === owner)
      if (isNew) requireRoomUnseen(state, request)
      const issuedAt = Math.max(before, floorOf(state, owner))
      const { client } = floor ?? request
      const expires = issuedAt + longestGrant
      floors.set(owner, { owner, client, issuedAt, expires, deposited: undefined })
      forgetSigned(state, owner, issuedAt)
    },
    revokeName: async (owner, name, now) => {
      const of = [...grants.values()].find((it) => sameAccount(it.owner, owner))?.owner
      const named = liveOf(state, of).filter(({ grant }) => grant.name === name)
      for (const { id } of named) {
        const known = grants.get(id)
        if (known !== undefined) grants.set(id, { ...known, deposited: undefined })
      }
      return named.filter(({ grant }) => grant.expires > toSeconds(now)).length
    },
    ...listsOf(state),
  }
}

/** Returns the lists of owners and readers, and what readers accept. */
function listsOf(state: State): Pick<Grants, 'list' | 'accept' | 'ignore' | 'received'> {
  const { grants } = state
  return {
    list: async (owner, page) => pageOfLive(liveOf(state, owner), page, `grants-${owner}`),
    accept: async (pair, now) => {
      const of = ofPair(state, pair)
      if (!of.some(([, { deposited, expires }]) => deposited && expires > toSeconds(now))) {
        return false
      }
      for (const [id, it] of of) grants.set(id, { ...it, isAccepted: true })
      return true
    },
    ignore: async (pair) => {
      for (const [id, it] of ofPair(state, pair)) grants.set(id, { ...it, isAccepted: false })
    },
    received: async (reader, page) => {
      const of = [...grants.values()].filter((it) => it.reader === reader && it.isAccepted)
      const live = of.flatMap(({ deposited }) => deposited ?? [])
      return pageOfLive(live, page, `received-${reader}`)
    },
  }
}

const ofPair = ({ grants }: State, { reader, owner }: GrantPair) =>
  [...grants].filter(([, it]) => it.reader === reader && it.owner === owner)

type State = {
  readonly grants: Map<GrantId, Stored>
  /** The least times of owners that revoked all of their grants. */
  readonly floors: Map<string, Stored>
}

const floorOf = ({ floors }: State, owner: Account) => floors.get(owner)?.issuedAt ?? 0

/** Returns what is stored of a grant that was never here; nothing where its text is missing. */
function unseen(
  state: State,
  { owner, grant }: Revocation,
  request: GrantRequest,
): Stored | undefined {
  if (grant === undefined) return undefined
  if (grant.issuedAt >= floorOf(state, owner)) requireRoomUnseen(state, request)
  const { issuedAt, expires } = grant
  return { owner, issuedAt, expires, client: request.client, deposited: undefined }
}

function forgetSigned({ grants }: State, owner: Account, before: number): void {
  for (const [id, it] of grants) if (it.owner === owner && it.issuedAt < before) grants.delete(id)
}

const liveOf = (state: State, owner: Account | undefined): readonly DepositedGrant[] =>
  [...state.grants.values()]
    .filter((it) => it.owner === owner)
    .flatMap(({ deposited }) => deposited ?? [])

function requireRoom({ grants, floors }: State, { client, bounds }: GrantRequest): void {
  const all = [...grants.values(), ...floors.values()]
  refuse('this client', all.filter((it) => it.client === client).length, bounds.ofClient)
  refuse('all owners', all.length, bounds.inAll)
}

/** Requires room for a revocation by one who may own nothing: half of all room is for deposits. */
function requireRoomUnseen(state: State, request: GrantRequest): void {
  requireRoom(state, request)
  const { grants, floors } = state
  const lives = [...grants.values()].filter(({ deposited }) => deposited !== undefined).length
  const others = grants.size + floors.size - lives
  refuse('all owners that deposited none', others, Math.floor(request.bounds.inAll / 2))
}

function forgetEnded({ grants, floors }: State, { now }: GrantRequest): void {
  for (const known of [grants, floors] as readonly Map<string, Stored>[]) {
    for (const [key, { expires }] of known) {
      if (expires < toSeconds(now) - day / 1000) known.delete(key)
    }
  }
}

function refuse(what: string, number: number, limit: number): void {
  if (number >= limit) throw new Failure('grant/too-many', { what, limit })
}

/** Returns a page of the grants that have not ended. */
function pageOfLive(some: readonly DepositedGrant[], { now, ...page }: GrantsInput, name: string) {
  const order: Order<DepositedGrant> = {
    name,
    keyOf: ({ id, grant }) => [BigInt(grant.issuedAt), BigInt(id)],
    descending: true,
  }
  return pageOf(
    some.filter(({ grant }) => grant.expires > toSeconds(now)),
    page,
    order,
  )
}
