import { grantId, typedGrant } from '@heirloom/adapters/internal/acts'
import { sqlGrants } from '@heirloom/adapters/internal/grants'
import { type JobStore, postgresJobStore } from '@heirloom/adapters/job-store'
import {
  type Account,
  account,
  type Challenge,
  challenge,
  depositGrant,
  type Grant,
  type GrantBounds,
  type GrantId,
  type GrantParts,
  type Grants,
  grantedRight,
  grantStatement,
  type Hex,
  isFailure,
  memoryService,
  ownerCheck,
  readOpenings,
  readsByRight,
  revokeGrant,
  revokeGrants,
  type TokenId,
  tokenId,
  toSeconds,
  wei,
  withoutErased,
} from '@heirloom/core'
import {
  type MemoryChain,
  memoryBlobStore,
  memoryChain,
  memoryCipher,
  memoryErasures,
  memoryGrants,
  memoryNames,
  memoryOpenings,
  stoppedClock,
  wallets,
} from '@heirloom/testkit'
import fc from 'fast-check'
import { concat, type LocalAccount } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { sqliteStore } from '../../packages/adapters/src/store/sqlite.ts'
import { encodeGrant } from '../../packages/http/src/api/encode-records.ts'
import {
  depositText,
  grantedText,
  revokeAllText,
  revokeText,
} from '../../packages/http/src/api/signed-texts.ts'
import { deployment, openHarness, post } from '../../packages/http/test/server-harness.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import { seedOfRun, tier, times } from '../tier.ts'

/**
 * Plays what may happen to grants, and asserts after each command that a memory was given to those alone
 * who may read it, and to each of them.
 */

const origin = 'http://localhost'
const aDay = 86_400
const bounds: GrantBounds = { ofOwner: 1000, ofClient: 10_000, inAll: 100_000 }
const document = { data: { mood: 'calm' }, metadata: { category: 'research' } }

/** One of four accounts; the last one is a contract wallet of the first two. */
type Party = { readonly address: Account; readonly wallet: LocalAccount }

/** An outcome: `done`, or the code of the failure. */
type Outcome = string

type Reading = {
  readonly by: Party
  readonly of: TokenId
  readonly at: number
  /** The grant that is used; the path of the interface without one. */
  readonly grant?: GrantId | undefined
  readonly way: Way
}

const ways = ['whole', 'outline', 'part', 'search'] as const
type Way = (typeof ways)[number]

type Deposit = {
  readonly grant: Grant
  readonly signature: Hex
  readonly at: number
  readonly proof: Hex
}

/** A server, or the core alone, over a chain in memory. */
type Subject = {
  readonly chain: MemoryChain
  readonly clock: ReturnType<typeof stoppedClock>
  readonly place: { readonly chainId: number; readonly registry: Account }
  erase(of: TokenId): Promise<void>
  mint(): Promise<TokenId>
  deposit(input: Deposit): Promise<Outcome>
  revoke(of: Tracked, by: Party, signature: Hex, hasText: boolean): Promise<Outcome>
  revokeAll(by: Party, timestamp: number, signature: Hex): Promise<Outcome>
  /** Returns how many bytes it gave, or the code of the refusal. */
  open(reading: Reading, signature: Hex): Promise<number | Outcome>
  /** Returns how many openings an account sees, or the code of the refusal. */
  openings(by: Party, of: TokenId, at: number, signature: Hex): Promise<number | Outcome>
  close(): Promise<unknown>
}

type Token = {
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

type Tracked = {
  readonly id: GrantId
  readonly grant: Grant
  readonly signature: Hex
  readonly token: Token
  readonly owner: Party
  readonly reader: Party
  isDeposited: boolean
  isRevoked: boolean
}

type Model = {
  readonly parties: readonly Party[]
  readonly tokens: Token[]
  readonly grants: Tracked[]
  /** The least time of signing of the grants that count, of each owner. */
  readonly floors: Map<Account, number>
  readonly tally: Tally
}

/** The numbers of all stories. */
type Tally = Record<'commands' | 'given' | 'refused' | 'bytesBeyond' | 'wronglyRefused', number>

const noTally = (): Tally => ({
  commands: 0,
  given: 0,
  refused: 0,
  bytesBeyond: 0,
  wronglyRefused: 0,
})

const secondsOf = ({ clock }: Subject) => toSeconds(clock.now())

const outcomeOf = (act: Promise<unknown>): Promise<Outcome> =>
  act.then(
    () => 'done',
    (error: unknown) => {
      if (isFailure(error)) return error.code
      throw error
    },
  )

const numberOf = (act: Promise<number>): Promise<number | Outcome> =>
  act.catch((error: unknown) => {
    if (isFailure(error)) return error.code
    throw error
  })

/** Plays with the use cases and the stores that `open` returns, each for one part of the requests. */
const coreSubject = (open: () => Promise<readonly Grants[]>) => async (): Promise<Subject> => {
  const clock = stoppedClock()
  const chain = memoryChain({ clock })
  const ledger = chain.ledger(account(wallets[0]?.address as Hex))
  const erasures = memoryErasures()
  const names = memoryNames()
  const blobStore = withoutErased(memoryBlobStore(), erasures)
  const openings = memoryOpenings()
  const service = memoryService({ blobStore, cipher: memoryCipher(), clock, ledger, openings })
  const place = { chainId: ledger.registry.chainId, registry: ledger.registry.address }
  const idOf = (grant: Grant) => grantId(grant, ledger.registry)
  const replicas = (await open()).map((grants) => {
    const { find: erasedAt } = erasures
    const parts: GrantParts = { clock, ledger, grants, names, idOf, bounds, erasedAt }
    return { parts, isOwners: ownerCheck(parts) }
  })
  let turn = 0
  /** Returns the next replica: each answers what another one was sent. */
  const next = () => replicas[turn++ % replicas.length] as (typeof replicas)[number]
  return {
    chain,
    clock,
    place,
    erase: async (of) => {
      const digest = chain.provenance(of)?.digest
      if (digest !== undefined) await erasures.add([digest], clock.now())
    },
    mint: async () => {
      const bundle = new TextEncoder().encode(JSON.stringify(document))
      return (await service.snapshot({ bundle })).tokenId
    },
    deposit: ({ grant, signature, at, proof }) => {
      const { parts } = next()
      const claim = { grant: idOf(grant), owner: grant.owner, label: '', timestamp: at }
      const message = depositText({ origin, chainId: place.chainId }, claim)
      const brought = { message, signature: proof, client: 'client', timestamp: at }
      const input = { grant, signature, label: '', origin, proof: brought }
      return outcomeOf(depositGrant(parts, input))
    },
    revoke: ({ id, grant }, { address: owner }, signature, hasText) => {
      const message = revokeText(place, { owner, grant: id })
      const text = hasText ? grant : undefined
      const input = { id, owner, grant: text, message, signature, client: 'client' }
      return outcomeOf(revokeGrant(next().parts, input))
    },
    revokeAll: ({ address: owner }, timestamp, signature) => {
      const message = revokeAllText(place, { owner, timestamp })
      const input = { owner, timestamp, message, signature, client: 'client' }
      return outcomeOf(revokeGrants(next().parts, input))
    },
    open: ({ by, of, at, grant, way }, signature) => {
      const { parts, isOwners } = next()
      const proof = { account: by.address, timestamp: at, signature }
      const text = () => proofText(place, { by, of, at, grant })
      const challenges = grant === undefined ? [challenge] : [text]
      const right = grant && grantedRight({ ...parts, isOwners }, { id: grant, origin })
      const reads = right ? readsByRight(service, right) : service
      return numberOf(lengthOf(reads, { tokenId: of, proof, challenges }, way))
    },
    openings: async ({ address }, of, at, signature) => {
      const proof = { account: address, timestamp: at, signature }
      const signed = { proof, challenges: [challenge] }
      const input = { tokenId: of, account: address, signed, limit: 1000 }
      const read = async () => {
        const { items } = await readOpenings({ clock, ledger, openings }, input)
        return items.reduce((sum, it) => sum + it.count, 0)
      }
      return numberOf(read())
    },
    close: async () => undefined,
  }
}

type Reads = Parameters<typeof readsByRight>[0]

type Proven = Pick<Parameters<Reads['download']>[0], 'tokenId' | 'proof'> & {
  readonly challenges: readonly Challenge[]
}

async function lengthOf(reads: Reads, input: Proven, way: Way) {
  if (way === 'whole') return (await reads.download(input)).document.length
  if (way === 'part') return (await reads.part({ ...input, pointer: '/data/mood' })).text.length
  if (way === 'search') {
    const found = await reads.searchIn({ ...input, text: 'calm', limit: 1, mostBytes: 10_000 })
    return found.matches.length
  }
  const { outline } = await reads.outline({ ...input, pointer: '', depth: 1, width: 9, from: 0 })
  return JSON.stringify(outline).length
}

type Proving = Pick<Reading, 'by' | 'of' | 'at' | 'grant'>

function proofText(place: Subject['place'], { by, of, at, grant }: Proving): string {
  if (grant === undefined) return challenge(of, { account: by.address, timestamp: at })
  const claim = { tokenId: `${of}`, address: by.address, timestamp: at, grant }
  return grantedText({ origin, ...place }, claim)
}

/** Plays with a server over HTTP. */
async function httpSubject(): Promise<Subject> {
  const erasures = memoryErasures()
  const harness = openHarness({
    granting: { bounds },
    erasedAt: erasures.find,
    storeThrough: (store) => withoutErased(store, erasures),
  })
  const { server, chain, clock } = harness
  const place = { chainId: deployment.chainId, registry: deployment.registry }
  const codeOf = async (reply: ReturnType<typeof post>): Promise<Outcome> => {
    const { statusCode, body } = await reply
    return statusCode < 300 ? 'done' : JSON.parse(body).code
  }
  const headersOf = ({ address }: Party, at: number, signature: Hex) => ({
    'x-wallet-address': address,
    'x-wallet-signature': signature,
    'x-wallet-timestamp': `${at}`,
  })
  const paths: Record<Way, string> = {
    whole: '',
    outline: '/outline',
    part: '/part?pointer=/data/mood',
    search: '/search?q=calm',
  }
  return {
    chain,
    clock,
    place,
    erase: async (of) => {
      const digest = chain.provenance(of)?.digest
      if (digest !== undefined) await erasures.add([digest], clock.now())
    },
    mint: async () =>
      tokenId((await post(harness, '/api/memory/snapshot', document)).json().tokenId),
    deposit: ({ grant, signature, at, proof: signed }) => {
      const proof = { origin, timestamp: at, signature: signed }
      const body = { grant: encodeGrant(grant), signature, label: '', proof }
      return codeOf(post(harness, '/api/grants', body, { host: 'localhost' }))
    },
    revoke: ({ id, grant }, { address: owner }, signature, hasText) => {
      const body = { owner, signature, ...(hasText && { grant: encodeGrant(grant) }) }
      return codeOf(post(harness, `/api/grants/${id}/revoke`, body))
    },
    revokeAll: ({ address: owner }, timestamp, signature) =>
      codeOf(post(harness, '/api/grants/revoke', { owner, timestamp, signature })),
    open: async ({ by, of, at, grant, way }, signature) => {
      const under = grant === undefined ? '/api' : `/api/granted/${grant}`
      const url = `${under}/memory/${of}${paths[way]}`
      const reply = await server.inject({ url, headers: headersOf(by, at, signature) })
      return reply.statusCode === 200 ? reply.rawPayload.length : reply.json().code
    },
    openings: async (by, of, at, signature) => {
      const url = `/api/memory/${of}/openings?limit=100`
      const reply = await server.inject({ url, headers: headersOf(by, at, signature) })
      if (reply.statusCode !== 200) return reply.json().code
      const { items } = reply.json() as { items: readonly { readonly count: number }[] }
      return items.reduce((sum, it) => sum + it.count, 0)
    },
    close: () => server.close(),
  }
}

/** Returns the four accounts, with money for the market. */
function partiesOn(chain: MemoryChain): readonly Party[] {
  const keys = wallets.slice(0, 3).map((wallet) => ({
    address: account(wallet.address),
    wallet: wallet as LocalAccount,
  }))
  const [one, two] = keys
    .slice(0, 2)
    .toSorted((it, other) => (it.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1)) as [
    Party,
    Party,
  ]
  const both = async (sign: (it: LocalAccount) => Promise<Hex>) =>
    concat([await sign(one.wallet), await sign(two.wallet)])
  const shared = {
    signMessage: (it: never) => both((by) => by.signMessage(it)),
    signTypedData: (it: never) => both((by) => by.signTypedData(it)),
  } as unknown as LocalAccount
  const address = chain.sharedWallet([one.address, two.address])
  const all = [...keys, { address, wallet: shared }]
  for (const it of all) chain.fund(it.address, wei(10n ** 22n))
  return all
}

// What the model says.

const isEnded = ({ grant }: Tracked, now: number) => grant.expires <= now

const stillOwns = ({ grant, owner, token }: Tracked) =>
  token.owner === owner && token.transfers === grant.transferCount

/** Returns whether a grant lets its reader read now. */
const counts = (it: Tracked, now: number): boolean =>
  it.isDeposited && !it.isRevoked && !isEnded(it, now) && stillOwns(it) && !it.token.isErased

const mayRead = ({ owner, rentals, isErased }: Token, { address }: Party, now: number) =>
  !isErased && (owner.address === address || (rentals.get(address) ?? 0) > now)

function predictDeposit(model: Model, it: Tracked, now: number): Outcome {
  const { grant, token, owner } = it
  if (isEnded(it, now) || owner === it.reader) return 'grant/malformed'
  if (token.owner !== owner) return 'token/not-owner'
  if (!stillOwns(it)) return 'grant/malformed'
  if (token.isErased) return 'memory/erased'
  const isRevoked = it.isRevoked || grant.issuedAt < (model.floors.get(owner.address) ?? 0)
  return isRevoked ? 'grant/revoked' : 'done'
}

/** Returns whether a reader must get the memory. */
const isGood = ({ by, token, through }: Attempt, now: number): boolean =>
  through === undefined
    ? mayRead(token, by, now)
    : counts(through, now) && through.reader === by && through.token === token

/** Reads, and asserts that bytes came where they may, and nowhere else. */
async function check(model: Model, subject: Subject, attempt: Attempt): Promise<void> {
  const { by, token, through, way } = attempt
  const now = secondsOf(subject)
  const reading = { by, of: token.id, at: now, grant: through?.id, way }
  const signature = await by.wallet.signMessage({ message: proofText(subject.place, reading) })
  const found = await subject.open(reading, signature)
  const isRight = isGood(attempt, now)
  count(model.tally, isRight, found)
  expect([typeof found, reading, through]).toEqual([
    isRight ? 'number' : 'string',
    reading,
    through,
  ])
  if (isRight) {
    const { address } = token.owner
    token.opened.set(address, (token.opened.get(address) ?? 0) + 1)
  } else if (through !== undefined && !token.isErased) expect(found).toBe('access/denied')
}

function count(tally: Tally, isRight: boolean, found: number | Outcome): void {
  if (isRight) tally.given += 1
  else tally.refused += 1
  if (isRight && typeof found === 'string') tally.wronglyRefused += 1
  if (!isRight && typeof found === 'number') tally.bytesBeyond += found
}

type Attempt = {
  readonly by: Party
  readonly token: Token
  readonly through?: Tracked | undefined
  readonly way: Way
}

/** Tries each grant of a token by its reader. */
async function checkAll(model: Model, subject: Subject, token: Token): Promise<void> {
  for (const it of model.grants.filter((of) => of.token === token).slice(-3)) {
    await check(model, subject, { by: it.reader, token, through: it, way: 'whole' })
  }
}

// What happens.

type Act = (model: Model, subject: Subject) => Promise<Token | undefined>
type Commands = fc.Arbitrary<fc.AsyncCommand<Model, Subject>>

/** Creates commands of what their parts draw. */
const command = <Parts>(
  verb: string,
  parts: { readonly [name in keyof Parts]: fc.Arbitrary<Parts[name]> },
  act: (drawn: Parts) => Act,
): Commands =>
  (fc.record(parts as never) as fc.Arbitrary<Parts>).map((drawn) => ({
    check: () => true,
    run: async (model, subject) => {
      model.tally.commands += 1
      const token = await act(drawn)(model, subject)
      if (token !== undefined) await checkAll(model, subject, token)
    },
    toString: () => `${verb} ${JSON.stringify(drawn)}`,
  }))

const pick = fc.nat({ max: 999 })
const days = fc.integer({ min: 1, max: 20 })
const mostly = fc.constantFrom(true, true, true, false)
const way = fc.constantFrom(...ways)
const chosen = <It>(all: readonly It[], at: number): It | undefined => all[at % all.length]
/** Returns the last one of all in every other case. */
const recent = <It>(all: readonly It[], at: number) => (at % 2 === 0 ? all.at(-1) : chosen(all, at))
const partyAt = ({ parties }: Model, at: number) => chosen(parties, at) as Party

async function hand(subject: Subject, token: Token, to: Party): Promise<void> {
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

async function sell(subject: Subject, token: Token, to: Party): Promise<void> {
  await offer(subject, token)
  const sale = { tokenId: token.id, price, recipient: to.address }
  await subject.chain.ledger(to.address).buy(sale)
  token.before = token.owner
  token.owner = to
  token.transfers += 1n
}

async function mintFor(model: Model, subject: Subject, receiver: Party): Promise<Token> {
  const [first] = model.parties as [Party]
  const id = await subject.mint()
  const terms = { transfers: 0n, isErased: false, rentals: new Map(), opened: new Map() }
  const token: Token = { id, owner: first, before: first, ...terms }
  model.tokens.push(token)
  if (receiver !== first) await hand(subject, token, receiver)
  return token
}

const mint = command('mint', { to: pick }, ({ to }) => async (model, subject) => {
  if (model.tokens.length === 4) return undefined
  return mintFor(model, subject, partyAt(model, to))
})

const strangerTo = ({ parties }: Model, { owner, reader }: Tracked): Party =>
  parties.find((it) => it !== owner && it !== reader) as Party

type Bringer = 'owner' | 'reader' | 'stranger'

async function bring(model: Model, subject: Subject, it: Tracked, by: Bringer): Promise<void> {
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

const depositParts = { of: pick, to: pick, days, shift: fc.constantFrom(-aDay, -1, 0, 0, 0, 119) }
const deposit = command(
  'deposit',
  { ...depositParts, by: fc.constantFrom('owner', 'owner', 'owner', 'reader', 'stranger') },
  ({ of, to, days: length, shift, by }) =>
    async (model, subject) => {
      const token = chosen(model.tokens, of)
      if (token === undefined) return undefined
      const { owner } = token
      const reader = partyAt(model, to)
      const issuedAt = secondsOf(subject) + shift
      const terms = {
        owner: owner.address,
        reader: reader.address,
        tokenId: token.id,
        transferCount: token.transfers,
        digest: subject.chain.provenance(token.id)?.digest as Grant['digest'],
        name: '',
        rights: 'read',
        holders: [origin],
        issuedAt,
        expires: issuedAt + length * aDay,
        salt: `0x${(model.grants.length + 1).toString(16).padStart(64, '0')}` as const,
      }
      const grant = { ...terms, statement: grantStatement(terms) }
      const { chainId, registry } = subject.place
      const typed = typedGrant(grant, { chainId, address: registry })
      const signature = await owner.wallet.signTypedData(typed)
      const id = grantId(grant, { chainId, address: registry })
      const unused = { isDeposited: false, isRevoked: false }
      const tracked = { id, grant, signature, token, owner, reader, ...unused }
      if (reader !== owner) model.grants.push(tracked)
      await bring(model, subject, tracked, by as Bringer)
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

const revoke = command(
  'revoke',
  { of: pick, isOwner: mostly, hasText: fc.boolean() },
  ({ of, isOwner, hasText }) =>
    async (model, subject) => {
      const it = recent(model.grants, of)
      if (it === undefined) return undefined
      const { owner, id } = it
      const message = revokeText(subject.place, { owner: owner.address, grant: id })
      const signer = isOwner ? owner : strangerTo(model, it)
      const signature = await signer.wallet.signMessage({ message })
      const mustCount = isOwner && isRevocable(it, hasText, secondsOf(subject))
      const outcome = await subject.revoke(it, owner, signature, hasText)
      expect(outcome === 'done' ? isOwner : !mustCount).toBe(true)
      it.isRevoked ||= outcome === 'done'
      return it.token
    },
)

const revokeAll = command(
  'revoke all',
  { who: pick, before: fc.constantFrom(-121, -60, 0, 0, 1, aDay, 5 * aDay, 30 * aDay) },
  ({ who, before }) =>
    async (model, subject) => {
      const owner = partyAt(model, who)
      const { address } = owner
      const timestamp = secondsOf(subject) - before
      const message = revokeAllText(subject.place, { owner: address, timestamp })
      const signature = await owner.wallet.signMessage({ message })
      const outcome = await subject.revokeAll(owner, timestamp, signature)
      expect(outcome).toBe(before < -120 ? 'proof/stale' : 'done')
      if (outcome !== 'done') return undefined
      model.floors.set(address, Math.max(timestamp + 1, model.floors.get(address) ?? 0))
      const own = model.grants.filter((it) => it.owner === owner)
      for (const it of own) it.isRevoked ||= it.grant.issuedAt <= timestamp
      return own.at(-1)?.token
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

const often = (times: number, all: Commands): Commands[] => Array(times).fill(all)

const commands: Commands[] = [
  mint,
  ...often(6, deposit),
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
]

/** Plays stories on subjects, and returns the numbers of all. */
async function play(open: () => Promise<Subject>): Promise<Tally> {
  const tally = noTally()
  const sequences = fc.commands(commands, { maxCommands: 60, size: 'max' })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const subject = await open()
    const parties = partiesOn(subject.chain)
    const model: Model = { parties, tokens: [], grants: [], floors: new Map(), tally }
    try {
      for (const party of parties.slice(0, 2)) await mintFor(model, subject, party)
      await fc.asyncModelRun(() => ({ model, real: subject }), sequence)
    } finally {
      await subject.close()
    }
  })
  await fc.assert(property, { numRuns: times(4, 420), seed: seedOfRun })
  return tally
}

const least = times(40, 10_000)

async function expectNothingElse(open: () => Promise<Subject>): Promise<void> {
  const { commands: played, given, refused, ...wrong } = await play(open)
  if (tier === 'long') {
    process.stderr.write(`${JSON.stringify({ played, given, refused, ...wrong })}\n`)
  }
  expect(wrong).toEqual({ bytesBeyond: 0, wronglyRefused: 0 })
  expect([played >= least, given > 0, refused > 0]).toEqual([true, true, true])
}

let stories = 0
/** Returns a place of its own for each story in one database. */
const newPlace = () => ({ chainId: ++stories, address: deployment.registry })

describe('whatever happens, a memory opens to those who may read it, and to nobody else', () => {
  const postgres = sharedPostgres()
  const opened: JobStore[] = []
  afterAll(() => Promise.all(opened.map((it) => it.close())))

  test('in memory', () => expectNothingElse(coreSubject(async () => [memoryGrants()])))

  test('in SQLite', async () => {
    const store = await sqliteStore(':memory:')
    await expectNothingElse(coreSubject(async () => [await sqlGrants(store, newPlace())]))
    await store.close()
  })

  test('in PostgreSQL, with two servers, each answering what the other was sent', async () => {
    await postgres.run('CREATE DATABASE model_grants')
    const url = new URL('/model_grants', postgres.url).href
    const stores = [await postgresJobStore(url), await postgresJobStore(url)]
    opened.push(...stores)
    await expectNothingElse(
      coreSubject(async () => {
        const place = newPlace()
        return Promise.all(stores.map((store) => sqlGrants(store, place)))
      }),
    )
  })

  test('over HTTP', () => expectNothingElse(httpSubject))
})
