import assert from 'node:assert/strict'
import {
  digest,
  hash,
  type Idempotency,
  isFailure,
  type Ledger,
  type LedgerWrite,
  nobody,
  type Receipt,
  type TokenId,
  tokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import type { LedgerWorld, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import { refuses } from '../refuses.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  assertMoved,
  balancesOf,
  castOf,
  mintBy,
  noTerms,
} from './fixture.ts'

const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 })

const arbitraryWrite = fc.constantFrom<LedgerWrite>(
  'mint',
  'list',
  'buy',
  'rent',
  'fork',
  'payRoyalty',
)

const arbitraryRequest: Arbitrary<Request> = fc.record({
  write: arbitraryWrite,
  price: arbitraryCheapPrice,
  first: arbitraryParty,
  key: text,
  fingerprint: text,
})

/** What every ledger keeps of writes that come with a key. */
export const idempotencyLaws: readonly Law<LedgerWorld>[] = [
  {
    name: 'gives the first result again for the same key and request',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryRequest, async (request) => {
          const { write, ledger, idempotency, act, assertOnce } = await stage(world, request)
          assert.equal(await ledger.recall(write, idempotency), undefined)
          const made = await act(idempotency)
          await world.wait(60_000)
          for (const again of [
            await act(idempotency),
            await ledger.recall(write, { ...idempotency }),
            await act({ ...idempotency }),
          ]) {
            assert.deepEqual(again, made)
          }
          await assertOnce()
        }),
      ),
  },
  {
    name: 'does a write once when the same key comes twice at once',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryRequest, async (request) => {
          const { write, ledger, idempotency, act, assertOnce } = await stage(world, request)
          const [one, other] = await Promise.all([act(idempotency), act({ ...idempotency })])
          assert.deepEqual(one, other)
          assert.deepEqual(await ledger.recall(write, idempotency), one)
          await assertOnce()
        }),
      ),
  },
  {
    name: 'refuses a key that comes with another request with `idempotency/key-reused`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryRequest, arbitraryWrite, async (request, next) => {
          const { write, ledger, idempotency, act, acts, assertOnce } = await stage(world, request)
          const other = { ...idempotency, fingerprint: `${idempotency.fingerprint} too` }
          const code = 'idempotency/key-reused'
          const made = await act(idempotency)
          await refuses(code, act(other))
          await refuses(code, ledger.recall(write, other))
          if (next !== write) {
            await refuses(code, acts[next](idempotency))
            await refuses(code, ledger.recall(next, idempotency))
          }
          assert.deepEqual(await ledger.recall(write, idempotency), made)
          await assertOnce()
        }),
      ),
  },
  {
    name: 'forgets the key of a write that failed without effect',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryRequest, text, async (request, fingerprint) => {
          const { write, ledger, idempotency, act, actInVain, assertOnce } = await stage(
            world,
            request,
          )
          await assert.rejects(actInVain(idempotency), (error) => isFailure(error))
          assert.equal(await ledger.recall(write, idempotency), undefined)
          await assert.rejects(actInVain({ ...idempotency, fingerprint }), (error) =>
            isFailure(error),
          )
          const made = await act(idempotency)
          assert.deepEqual(await ledger.recall(write, idempotency), made)
          await assertOnce()
        }),
      ),
  },
]

type Request = Idempotency & {
  readonly write: LedgerWrite
  readonly price: Wei
  readonly first: number
}

type Act = (idempotency: Idempotency) => Promise<Receipt>
type Acts = { readonly [write in LedgerWrite]: Act }

/** Sets up a write that one party can make, and what to make of it. */
async function stage(world: LedgerWorld, { write, price, first, key, fingerprint }: Request) {
  const [owner, payer] = castOf(world, first)
  const offered = await mintBy(owner)
  const own = await mintBy(payer)
  const terms = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 0 }
  await owner.ledger.list({ tokenId: offered, ...terms })
  const acts = actsOf(payer, { offered, own, price })
  const before = await balancesOf(world)
  return {
    write,
    ledger: payer.ledger,
    idempotency: { key: uniqueKey(key), fingerprint },
    acts,
    act: acts[write],
    actInVain: actsInVain(payer, own)[write],
    /** Asserts that the money moved once, and that no token was minted but the one. */
    assertOnce: async () => {
      const cost = isFree[write] ? 0n : price
      const changes = [[owner, cost] as const, [payer, -cost] as const]
      await assertMoved(world, before, new Map(changes))
      assert.equal(await mintBy(owner), own + (isMinting[write] ? 2n : 1n))
    },
  }
}

const isFree: { readonly [write in LedgerWrite]?: boolean } = { mint: true, list: true }
const isMinting: { readonly [write in LedgerWrite]?: boolean } = { mint: true, fork: true }

/** A ledger may remember for ever, and a law is tried many times on one. */
const uniqueKey = (key: string) => `${key} ${++keys}`
let keys = 0

type Offer = { readonly offered: TokenId; readonly own: TokenId; readonly price: Wei }

/** Returns the writes that a party makes of what is offered, and of a token of its own. */
function actsOf(party: Party, { offered, own, price }: Offer): Acts {
  const recipient = accountOf(party)
  const to = { tokenId: offered, price, recipient }
  return writesOf(party.ledger, {
    mint: { ...content, recipient },
    list: { ...noTerms, tokenId: own, price },
    buy: to,
    rent: { ...to, days: 1 },
    fork: { ...to, maxRoyaltyBps: 0 },
    payRoyalty: { tokenId: offered, amount: price },
  })
}

/** Returns writes that no ledger can make: of no token, for nobody, or of nothing. */
function actsInVain(party: Party, own: TokenId): Acts {
  const unknown = tokenId(own + 1_000_000n)
  const price = wei(1n)
  const to = { tokenId: unknown, price, recipient: accountOf(party) }
  return writesOf(party.ledger, {
    mint: { ...content, recipient: nobody },
    list: { ...noTerms, tokenId: unknown, price },
    buy: to,
    rent: { ...to, days: 1 },
    fork: { ...to, maxRoyaltyBps: 0 },
    payRoyalty: { tokenId: own, amount: wei(0n) },
  })
}

type Arguments = { readonly [write in LedgerWrite]: Parameters<Ledger[write]>[0] }

function writesOf(ledger: Ledger, given: Arguments): Acts {
  return {
    mint: (idempotency) => ledger.mint({ ...given.mint, idempotency }),
    list: (idempotency) => ledger.list({ ...given.list, idempotency }),
    buy: (idempotency) => ledger.buy({ ...given.buy, idempotency }),
    rent: (idempotency) => ledger.rent({ ...given.rent, idempotency }),
    fork: (idempotency) => ledger.fork({ ...given.fork, idempotency }),
    payRoyalty: (idempotency) => ledger.payRoyalty({ ...given.payRoyalty, idempotency }),
  }
}

const content = {
  contentHash: hash(`0x${'c0'.repeat(32)}`),
  digest: digest(`0x${'d1'.repeat(32)}`),
  parent: undefined,
}
