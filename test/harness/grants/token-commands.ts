import { grantId, typedGrant } from '@heirloom/adapters/internal/acts'
import { challenge, type Grant, grantStatement, toSeconds, wei } from '@heirloom/core'
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  depositText,
  revokeAllText,
  revokeText,
} from '../../../packages/http/src/api/signed-texts.ts'
import {
  type Commands,
  check,
  checkReceived,
  chosen,
  command,
  days,
  mostly,
  partyAt,
  pick,
  recent,
  way,
} from './check.ts'
import {
  isEnded,
  liveOf,
  type Model,
  newToken,
  type Pair,
  type Party,
  pairOf,
  predictDeposit,
  type Token,
  type Tracked,
} from './model.ts'
import { origin, type Subject, secondsOf } from './subject.ts'

export const aDay = 86_400

export async function hand(subject: Subject, token: Token, to: Party): Promise<void> {
  await subject.chain.transfer(token.owner.address, token.id, to.address)
  token.before = token.owner
  token.owner = to
  token.transfers += 1n
}

const price = wei(5n)

async function offer({ chain }: Subject, { id, owner }: Token): Promise<void> {
  const terms = { price, rentalPricePerDay: price, forkPrice: wei(0n), forkRoyaltyBps: 0 }
  await chain.ledger(owner.address).list({ tokenId: id, ...terms })
}

export async function sell(subject: Subject, token: Token, to: Party): Promise<void> {
  await offer(subject, token)
  const sale = { tokenId: token.id, price, recipient: to.address }
  await subject.chain.ledger(to.address).buy(sale)
  token.before = token.owner
  token.owner = to
  token.transfers += 1n
}

export async function mintFor(model: Model, subject: Subject, receiver: Party): Promise<Token> {
  const [first] = model.parties as [Party]
  const id = await subject.mint()
  const token = newToken(id, first)
  model.tokens.push(token)
  if (receiver !== first) await hand(subject, token, receiver)
  return token
}

const mint = command('mint', { to: pick }, ({ to }) => async (model, subject) => {
  if (model.tokens.length >= 4) return undefined
  return mintFor(model, subject, partyAt(model, to))
})

export const strangerTo = ({ parties }: Model, { owner, reader }: Tracked): Party =>
  parties.find((it) => it !== owner && it !== reader) as Party

export type Bringer = 'owner' | 'reader' | 'stranger'

export async function bring(
  model: Model,
  subject: Subject,
  it: Tracked,
  by: Bringer,
): Promise<void> {
  const now = secondsOf(subject)
  const { id, grant, signature, owner, reader } = it
  const prover = { owner, reader, stranger: strangerTo(model, it) }[by]
  const claim = { grant: id, owner: owner.address, label: '', timestamp: now }
  const message = depositText({ origin, chainId: subject.place.chainId }, claim)
  const proof = await prover.wallet.signMessage({ message })
  const outcome = await subject.deposit({ grant, signature, at: now, proof })
  if (prover !== owner) return expect(outcome).not.toBe('done')
  const predicted = predictDeposit(model, it, now)
  expect([outcome, it.grant]).toEqual([predicted, it.grant])
  if (predicted === 'done') it.isDeposited = true
}

type Granting = {
  readonly token: Token
  readonly owner: Party
  readonly reader: Party
  /** In seconds, from now on. */
  readonly shift: number
  readonly days: number
  readonly name?: string
  readonly rights?: Grant['rights']
}

/** Signs a grant, and remembers it. */
export async function signGrant(
  model: Model,
  subject: Subject,
  { token, owner, reader, shift, days: length, name = '', rights = 'read' }: Granting,
): Promise<Tracked> {
  const issuedAt = secondsOf(subject) + shift
  const terms = {
    owner: owner.address,
    reader: reader.address,
    tokenId: token.id,
    transferCount: name === '' ? token.transfers : 0n,
    digest: subject.chain.provenance(token.id)?.digest as Grant['digest'],
    name,
    rights,
    holders: [origin],
    issuedAt,
    expires: issuedAt + length * aDay,
    salt: `0x${(model.grants.length + 1).toString(16).padStart(64, '0')}` as const,
  }
  const grant = { ...terms, statement: grantStatement(terms) }
  const { chainId, registry: address } = subject.place
  const signature = await owner.wallet.signTypedData(typedGrant(grant, { chainId, address }))
  const id = grantId(grant, { chainId, address })
  const unused = { isDeposited: false, isRevoked: false }
  const tracked = { id, grant, signature, token, owner, reader, ...unused }
  if (reader !== owner) model.grants.push(tracked)
  return tracked
}

export const shifts = fc.constantFrom(-aDay, -1, 0, 0, 0, 119)
export const bringers = fc.constantFrom<Bringer>('owner', 'owner', 'owner', 'reader', 'stranger')

const deposit = command(
  'deposit',
  { of: pick, to: pick, days, shift: shifts, by: bringers },
  ({ of, to, days: length, shift, by }) =>
    async (model, subject) => {
      const token = chosen(model.tokens, of)
      if (token === undefined) return undefined
      const { owner } = token
      const terms = { token, owner, reader: partyAt(model, to), shift, days: length }
      await bring(model, subject, await signGrant(model, subject, terms), by)
      return token
    },
)

const depositAgain = command('deposit again', { of: pick }, ({ of }) => async (model, subject) => {
  const it = recent(model.grants, of)
  if (it !== undefined) await bring(model, subject, it, 'owner')
  return it?.token
})

/** Returns whether a revocation by the owner must count: one that ended may be forgotten already. */
const isRevocable = (it: Tracked, hasText: boolean, now: number): boolean =>
  !isEnded(it, now) && (hasText || (it.isDeposited && !it.isRevoked))

type TakingBack = { readonly signer: Party; readonly hasText: boolean }

export async function takeBack(subject: Subject, it: Tracked, { signer, hasText }: TakingBack) {
  const { owner, id } = it
  const message = revokeText(subject.place, { owner: owner.address, grant: id })
  const signature = await signer.wallet.signMessage({ message })
  const isOwner = signer === owner
  const mustCount = isOwner && isRevocable(it, hasText, secondsOf(subject))
  const outcome = await subject.revoke(it, owner, signature, hasText)
  expect(outcome === 'done' ? isOwner : !mustCount).toBe(true)
  it.isRevoked ||= outcome === 'done'
}

const revoke = command(
  'revoke',
  { of: pick, isOwner: mostly, hasText: fc.boolean() },
  ({ of, isOwner, hasText }) =>
    async (model, subject) => {
      const it = recent(model.grants, of)
      if (it === undefined) return undefined
      const signer = isOwner ? it.owner : strangerTo(model, it)
      await takeBack(subject, it, { signer, hasText })
      return it.token
    },
)

/** Revokes all that an owner signed until so many seconds before now. */
export async function takeAllBack(model: Model, subject: Subject, owner: Party, before: number) {
  const { address } = owner
  const timestamp = secondsOf(subject) - before
  const message = revokeAllText(subject.place, { owner: address, timestamp })
  const signature = await owner.wallet.signMessage({ message })
  const outcome = await subject.revokeAll(owner, timestamp, signature)
  expect(outcome).toBe(before < -120 ? 'proof/stale' : 'done')
  if (outcome !== 'done') return
  model.floors.set(address, Math.max(timestamp + 1, model.floors.get(address) ?? 0))
  const own = model.grants.filter((it) => it.owner === owner)
  for (const it of own) it.isRevoked ||= it.grant.issuedAt <= timestamp
}

const revokeAll = command(
  'revoke all',
  { who: pick, before: fc.constantFrom(-121, -60, 0, 0, 1, aDay, 5 * aDay, 30 * aDay) },
  ({ who, before }) =>
    async (model, subject) => {
      const owner = partyAt(model, who)
      await takeAllBack(model, subject, owner, before)
      return model.grants.findLast((it) => it.owner === owner)?.token
    },
)

const transferred = command(
  'hand over',
  { of: pick, to: pick, isSale: fc.boolean() },
  ({ of, to, isSale }) =>
    async (model, subject) => {
      const token = chosen(model.tokens, of)
      if (token === undefined) return undefined
      await (isSale ? sell : hand)(subject, token, partyAt(model, to))
      return token
    },
)

const buyBack = command('buy back', { of: pick }, ({ of }) => async (model, subject) => {
  const token = chosen(model.tokens, of)
  if (token !== undefined) await sell(subject, token, token.before)
  return token
})

const rental = command(
  'rent',
  { of: pick, to: pick, days },
  ({ of, to, days: length }) =>
    async (model, subject) => {
      const token = chosen(model.tokens, of)
      if (token === undefined) return undefined
      await offer(subject, token)
      const { address: recipient } = partyAt(model, to)
      const rent = {
        tokenId: token.id,
        days: length,
        price: wei(price * BigInt(length)),
        recipient,
      }
      const { expiresAt } = await subject.chain.ledger(recipient).rent(rent)
      token.rentals.set(recipient, toSeconds(expiresAt))
      return token
    },
)

const wait = command(
  'wait',
  { seconds: fc.constantFrom(1, 60, 3600, 3600, aDay, 15 * aDay) },
  ({ seconds }) =>
    async ({ tokens }, { clock }) => {
      clock.advance(seconds * 1000)
      return tokens[0]
    },
)

const erasure = command('erase', { of: pick }, ({ of }) => async (model, subject) => {
  const token = chosen(model.tokens, of)
  // Few: nothing happens to an erased memory any more.
  if (token === undefined || of % 3 > 0) return undefined
  await subject.erase(token.id)
  token.isErased = true
  return token
})

const opening = command(
  'open',
  { by: pick, of: pick, way },
  ({ by, of, way: how }) =>
    async (model, subject) => {
      const token = chosen(model.tokens, of)
      const reader = partyAt(model, by)
      if (token !== undefined) await check(model, subject, { by: reader, token, way: how })
      return undefined
    },
)

const grantedOpening = command(
  'open by a grant',
  { by: pick, of: pick, isReader: mostly, isOther: mostly.map((it) => !it), other: pick, way },
  ({ by, of, isReader, isOther, other, way: how }) =>
    async (model, subject) => {
      const it = recent(model.grants, of)
      if (it === undefined) return undefined
      const token = isOther ? (chosen(model.tokens, other) as Token) : it.token
      const reader = isReader ? it.reader : partyAt(model, by)
      await check(model, subject, { by: reader, token, through: it, way: how })
      return undefined
    },
)

const list = command(
  'list openings',
  { by: pick, of: pick },
  ({ by, of }) =>
    async (model, subject) => {
      const token = chosen(model.tokens, of)
      if (token === undefined) return undefined
      const reader = partyAt(model, by)
      const at = secondsOf(subject)
      const message = challenge(token.id, { account: reader.address, timestamp: at })
      const signature = await reader.wallet.signMessage({ message })
      const found = await subject.openings(reader, token.id, at, signature)
      const { address } = reader
      const seen = token.opened.get(address)
      const isShown = seen !== undefined || token.owner === reader
      expect([found, address]).toEqual([isShown ? (seen ?? 0) : expect.any(String), address])
      return undefined
    },
)

const choose = {
  accept: async (model: Model, subject: Subject, pair: Pair) => {
    const isLive = liveOf(model, pair, secondsOf(subject)).length > 0
    expect(await subject.accept(pair)).toBe(isLive ? 'done' : 'grant/not-found')
    if (isLive) model.accepted.set(pairOf(pair), { of: pair, isSure: true })
  },
  ignore: async (model: Model, subject: Subject, pair: Pair) => {
    expect(await subject.ignore(pair)).toBe('done')
    model.accepted.delete(pairOf(pair))
  },
  list: async () => undefined,
}

const seen = command(
  'see what others grant',
  {
    of: pick,
    by: pick,
    isGranted: mostly,
    act: fc.constantFrom<keyof typeof choose>('accept', 'accept', 'ignore', 'list'),
  },
  ({ of, by, isGranted, act }) =>
    async (model, subject) => {
      const it = isGranted ? recent(model.grants, of) : undefined
      const pair = it ?? { reader: partyAt(model, by), owner: partyAt(model, of) }
      await choose[act](model, subject, pair)
      await checkReceived(model, subject, pair.reader)
      return it?.token
    },
)

export const often = (times: number, all: Commands): Commands[] => Array(times).fill(all)

export const tokenCommands: readonly Commands[] = [
  mint,
  ...often(4, deposit),
  ...often(2, depositAgain),
  ...often(2, revoke),
  revokeAll,
  transferred,
  buyBack,
  ...often(2, rental),
  ...often(2, wait),
  erasure,
  ...often(3, opening),
  ...often(8, grantedOpening),
  ...often(2, list),
  ...often(2, seen),
]
