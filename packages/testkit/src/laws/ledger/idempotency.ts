import assert from 'node:assert/strict'
import {
  digest,
  hash,
  type Idempotency,
  isFailure,
  type Ledger,
  type LedgerWrite,
  ledgerWrites,
  nobody,
  type Receipt,
  type TokenId,
  tokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import type { LedgerHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { refuses } from '../refuses.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  assertMoved,
  balancesOf,
  mintBy,
  noTerms,
  partiesFrom,
} from './fixture.ts'

const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 })

const arbitraryWrite = fc.constantFrom(...ledgerWrites)

const arbitraryRequest: Arbitrary<Request> = fc.record({
  write: arbitraryWrite,
  price: arbitraryCheapPrice,
  first: arbitraryParty,
  key: text,
  fingerprint: text,
})

/** The laws of writes with an idempotency key. */
export const idempotencyLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'returns the first result again for the same key and request',
    [arbitraryRequest],
    async (harness, request) => {
      const { write, ledger, idempotency, act, assertOnce } = await prepare(harness, request)
      assert.equal(await ledger.recall(write, idempotency), undefined)
      const made = await act(idempotency)
      await harness.wait(60_000)
      for (const again of [
        await act(idempotency),
        await ledger.recall(write, { ...idempotency }),
        await act({ ...idempotency }),
      ]) {
        assert.deepEqual(again, made)
      }
      await assertOnce()
    },
  ),
  forAll(
    'makes a write once when two requests with its key arrive at the same time',
    [arbitraryRequest],
    async (harness, request) => {
      const { write, ledger, idempotency, act, assertOnce } = await prepare(harness, request)
      const [one, other] = await Promise.all([act(idempotency), act({ ...idempotency })])
      assert.deepEqual(one, other)
      assert.deepEqual(await ledger.recall(write, idempotency), one)
      await assertOnce()
    },
  ),
  forAll(
    'refuses a key that is reused for another request with `idempotency/key-reused`',
    [arbitraryRequest, arbitraryWrite],
    async (harness, request, next) => {
      const { write, ledger, idempotency, act, acts, assertOnce } = await prepare(harness, request)
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
    },
  ),
  forAll(
    'releases the key of a write that failed without effect',
    [arbitraryRequest, text],
    async (harness, request, fingerprint) => {
      const { write, ledger, idempotency, act, failingAct, assertOnce } = await prepare(
        harness,
        request,
      )
      await assert.rejects(failingAct(idempotency), (error) => isFailure(error))
      assert.equal(await ledger.recall(write, idempotency), undefined)
      await assert.rejects(failingAct({ ...idempotency, fingerprint }), (error) => isFailure(error))
      const made = await act(idempotency)
      assert.deepEqual(await ledger.recall(write, idempotency), made)
      await assertOnce()
    },
  ),
]

type Request = Idempotency & {
  readonly write: LedgerWrite
  readonly price: Wei
  readonly first: number
}

type Act = (idempotency: Idempotency) => Promise<Receipt>
type Acts = { readonly [write in LedgerWrite]: Act }

/** Prepares a write of one party, and the assertion that it was made once. */
async function prepare(harness: LedgerHarness, { write, price, first, key, fingerprint }: Request) {
  const [owner, payer] = partiesFrom(harness, first)
  const offered = await mintBy(owner)
  const own = await mintBy(payer)
  const terms = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 0 }
  await owner.ledger.list({ tokenId: offered, ...terms })
  const acts = actsOf(payer, { offered, own, price })
  const before = await balancesOf(harness)
  return {
    write,
    ledger: payer.ledger,
    idempotency: { key: uniqueKey(key), fingerprint },
    acts,
    act: acts[write],
    failingAct: failingActs(payer, own)[write],
    /** Asserts that the price was paid once, and that at most one token was minted. */
    assertOnce: async () => {
      const cost = isFree[write] ? 0n : price
      const changes = [[owner, cost] as const, [payer, -cost] as const]
      await assertMoved(harness, before, new Map(changes))
      assert.equal(await mintBy(owner), own + (isMinting[write] ? 2n : 1n))
    },
  }
}

const isFree: { readonly [write in LedgerWrite]?: boolean } = { mint: true, list: true }
const isMinting: { readonly [write in LedgerWrite]?: boolean } = { mint: true, fork: true }

/** Returns a key that was not used before, because one ledger serves many runs of a law. */
const uniqueKey = (key: string) => `${key} ${++keys}`
let keys = 0

type Offer = { readonly offered: TokenId; readonly own: TokenId; readonly price: Wei }

/** Returns valid writes of a party, on an offered token and on a token of its own. */
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

/**
 * Returns writes that every ledger refuses: an unknown token, the zero address or a zero amount.
 */
function failingActs(party: Party, own: TokenId): Acts {
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
