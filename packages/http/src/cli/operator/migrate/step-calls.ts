import {
  handOverCalls,
  listCalls,
  type MigrationCall,
  type MintedItem,
  mintCall,
  pairReader,
  type RecordedToken,
  setUpCalls,
} from '@heirloom/adapters/internal/migration'
import {
  type Card,
  type Digest,
  day,
  type MigratingToken,
  type MigrationCourse,
  type MigrationProgress,
  type MigrationStep,
  maxRentalDays,
  needsSetUp,
  sameAccount,
  type TokenId,
} from '@heirloom/core'
import { type PublicClient, zeroHash } from 'viem'
import { resealMemory } from './reseal-memory.ts'
import type { OpenSide } from './side.ts'

/** The calls of a step, and the blobs that they refer to. */
export type StepCalls = {
  readonly calls: readonly MigrationCall[]
  readonly digests: readonly Digest[]
}

export declare namespace stepCalls {
  type Input = {
    readonly from: OpenSide
    readonly to: OpenSide
    /** A client of the new chain. */
    readonly client: PublicClient
    readonly course: MigrationCourse
    readonly progress: MigrationProgress
    /** Returns the card of a token of the old registry. */
    readonly cardOf: (tokenId: TokenId) => Promise<Card | undefined>
    /** Milliseconds since 1970. */
    readonly now: () => number
  }
}

type Step<kind extends MigrationStep['kind']> = Extract<MigrationStep, { kind: kind }>

/** Returns the calls of a step; none when all that it would do has happened. Seals what it mints. */
export async function stepCalls(input: stepCalls.Input, step: MigrationStep): Promise<StepCalls> {
  switch (step.kind) {
    case 'mint':
      return mintCalls(input, step)
    case 'set-up':
      return { calls: callsOfSetUp(input, step), digests: [] }
    case 'hand-over':
      return { calls: await callsOfHandOver(input, step), digests: [] }
    case 'list':
      return { calls: callsOfList(input, step), digests: [] }
  }
}

async function mintCalls(input: stepCalls.Input, step: Step<'mint'>): Promise<StepCalls> {
  const { from, to, course, cardOf } = input
  const items: MintedItem[] = []
  const digests: Digest[] = []
  for (const token of step.tokens.map((id) => tokenIn(course, id))) {
    const card = await cardOf(token.tokenId)
    const parent = await newParent(input, token)
    const previous = parent?.digest
    const sealed = await resealMemory({ from, to, token, card, previous })
    digests.push(sealed.digest)
    items.push({
      recipient: firstOwner(course, token),
      contentHash: token.contentHash,
      digest: sealed.digest,
      parent: parent?.tokenId ?? 0n,
      card: sealed.card ?? zeroHash,
    })
  }
  return { calls: [mintCall(to.chain.contracts, step.creator, items)], digests }
}

/** Returns the record of the parent of a token in the new registry; `undefined` for a token without one. */
export async function newParent(
  { to, client, progress }: Pick<stepCalls.Input, 'to' | 'client' | 'progress'>,
  { parent }: Pick<MigratingToken, 'parent'>,
): Promise<RecordedToken | undefined> {
  if (parent === undefined) return undefined
  return pairReader(client, to.chain.contracts).token(newId(progress, parent))
}

function callsOfSetUp(
  { to, course, progress, now }: stepCalls.Input,
  { tokenId, forks, rentals }: Step<'set-up'>,
): readonly MigrationCall[] {
  const running = rentals.flatMap(({ renter, expiresAt }) => {
    const days = Math.min(Math.ceil((expiresAt - now()) / day), maxRentalDays)
    return days > 0 ? [{ renter, days }] : []
  })
  if (forks.length + running.length === 0) return []
  const licences = forks
    .map((id) => tokenIn(course, id))
    .map((fork) => ({
      creator: fork.creator,
      recipient: firstOwner(course, fork),
      royaltyBps: fork.royaltyBps ?? 0,
    }))
  const { creator: holder } = tokenIn(course, tokenId)
  const id = newId(progress, tokenId)
  return setUpCalls(to.chain.contracts, { id, holder, forks: licences, rentals: running })
}

/** Leaves out what is with its owner: anybody may carry out a signed transfer alone. */
async function callsOfHandOver(
  { to, client, course, progress }: stepCalls.Input,
  { tokens }: Step<'hand-over'>,
): Promise<readonly MigrationCall[]> {
  const reader = pairReader(client, to.chain.contracts)
  const transfers = tokens.map((old) => {
    const { creator: from, owner } = tokenIn(course, old)
    return { id: newId(progress, old), from, to: owner }
  })
  const records = await Promise.all(transfers.map(({ id }) => reader.token(id)))
  const open = transfers.filter(({ from }, index) => {
    const owner = records[index]?.owner
    return owner !== undefined && sameAccount(owner, from)
  })
  return handOverCalls(to.chain.contracts, open)
}

function callsOfList(
  { to, course, progress }: stepCalls.Input,
  { owner, tokens }: Step<'list'>,
): readonly MigrationCall[] {
  const offers = tokens.map((old) => ({
    id: newId(progress, old),
    terms: tokenIn(course, old).terms,
  }))
  return listCalls(to.chain.contracts, owner, offers)
}

/** Returns the first owner of a token in the new registry. */
const firstOwner = (course: MigrationCourse, token: MigratingToken) =>
  needsSetUp(course, token) ? token.creator : token.owner

export function tokenIn({ carried }: MigrationCourse, id: TokenId): MigratingToken {
  const token = carried.get(id)
  if (token === undefined) throw new Error(`Token ${id} is not in the plan.`)
  return token
}

export function newId({ moved }: MigrationProgress, old: TokenId): TokenId {
  const id = moved.get(old)
  if (id === undefined) throw new Error(`Token ${old} was not moved.`)
  return id
}
