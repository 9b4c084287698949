import assert from 'node:assert/strict'
import {
  type CataloguedToken,
  nobody,
  type Provenance,
  type TokenId,
  tokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { accountOf, arbitraryParty, partiesFrom, requireKnown } from '../ledger/fixture.ts'
import { orderFor } from '../ledger/orders.ts'
import {
  arbitraryOffer,
  buy,
  fork,
  inDollars,
  list,
  mint,
  nextContentHash,
  readAll,
  readToken,
  rent,
} from './fixture.ts'
import { originalityLaw, sampleLaw } from './originality.ts'

const acts = [
  ...(['list', 'list in dollars', 'buy', 'transfer', 'rent', 'take down', 'renew'] as const),
  ...(['order', 'order a rental'] as const),
] as const

/** The laws of single tokens. */
export const tokenLaws: readonly Law<CatalogueHarness>[] = [
  forAll(
    'returns the same record of every token as the ledger',
    [arbitraryParty, fc.boolean()],
    async (harness, first, isChild) => {
      const [maker, owner] = partiesFrom(harness, first)
      const root = await mint(harness, maker)
      const parent = isChild ? { parent: root } : {}
      const child = await mint(harness, maker, { ...parent, to: owner })
      for (const id of [root, child]) {
        const record = await requireKnown(maker.ledger.provenance(id))
        const token = await readToken(harness, id)
        assert.deepEqual(provenanceIn(token), record)
        assert.equal(token.mintedIn.at, record.mintedAt)
      }
    },
  ),
  {
    name: 'returns the source of a licensed fork, with its creator',
    holds: async (harness) => {
      const [maker, forker] = partiesFrom(harness)
      const id = await mint(harness, maker)
      await list(maker, id, { forkPrice: wei(1n) })
      const first = await fork(forker, id)
      await list(forker, first, { forkPrice: wei(1n) })
      const second = await fork(maker, first)
      const declared = await mint(harness, forker, { parent: id })
      const source = { tokenId: id, creator: maker.ledger.agent }
      assert.deepEqual((await readToken(harness, first)).source, source)
      assert.deepEqual((await readToken(harness, second)).source, source)
      assert.equal((await readToken(harness, id)).source, undefined)
      assert.equal((await readToken(harness, declared)).source, undefined)
    },
  },
  forAll(
    'returns the same owner, terms and rentals as the ledger after every write',
    [
      fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 5 }),
      arbitraryOffer,
      fc.boolean(),
    ],
    async (harness, sequence, terms, isFork) => {
      const parties = partiesFrom(harness)
      const root = await mint(harness, parties[0])
      if (isFork) await list(parties[0], root, { forkPrice: wei(1n), forkRoyaltyBps: 6000 })
      const id = isFork ? await fork(parties[0], root) : root
      for (const act of sequence) {
        await perform(harness, id, { act, terms })
        await assertSame(harness, id)
      }
    },
  ),
  originalityLaw,
  sampleLaw,
  forAll(
    'finds tokens by id, owner, creator, parent, renter and content hash',
    [fc.integer({ min: 1, max: 3 }), arbitraryParty],
    async (harness, limit, first) => {
      const [maker, owner, guest] = partiesFrom(harness, first)
      const contentHash = nextContentHash()
      const parent = await mint(harness, maker, { contentHash })
      const ids = [
        await mint(harness, maker, { parent, to: owner }),
        await mint(harness, maker, { parent, to: guest }),
        await mint(harness, owner, { parent, to: guest }),
      ] as const
      await list(owner, ids[0], { rentalPricePerDay: wei(1n) })
      await rent(guest, ids[0], 1)
      await harness.caughtUp()
      const idsOf = async (query: object) =>
        (await readAll((after) => harness.catalogue.tokens({ ...query, after, limit }))).map(
          (token) => token.tokenId,
        )
      const newestFirst = ids.toReversed()
      assert.deepEqual(await idsOf({ parent }), newestFirst)
      assert.deepEqual(await idsOf({ parent, owner: accountOf(guest) }), newestFirst.slice(0, 2))
      assert.deepEqual(await idsOf({ parent, creator: accountOf(maker) }), [ids[1], ids[0]])
      assert.deepEqual(await idsOf({ parent, renter: accountOf(guest) }), [ids[0]])
      assert.deepEqual(await idsOf({ contentHash }), [parent])
      assert.deepEqual(await idsOf({ tokenId: ids[1] }), [ids[1]])
      assert.deepEqual(await idsOf({ tokenId: parent, parent }), [])
    },
  ),
  {
    name: 'returns nothing for a token that was never minted',
    holds: async (harness) => {
      await mint(harness, partiesFrom(harness)[0])
      await harness.caughtUp()
      for (const id of [tokenId(0n), tokenId(10n ** 6n), tokenId(2n ** 255n)]) {
        const { catalogue } = harness
        assert.equal(await catalogue.token(id), undefined)
        assert.equal(await catalogue.lineage(id), undefined)
        assert.equal(await catalogue.history(id, { limit: 1 }), undefined)
        assert.deepEqual(await catalogue.rentals(id, harness.now(), 1), [])
      }
    },
  },
]

function provenanceIn(token: CataloguedToken): Provenance {
  const { tokenId: id, contentHash, digest, creator, parent, mintedAt } = token
  return { tokenId: id, contentHash, digest, creator, parent, mintedAt }
}

type Act = {
  readonly act: (typeof acts)[number]
  readonly terms: Parameters<typeof list>[2]
}

/** Performs an act of the token's owner or of another party; skips an act that is not possible. */
async function perform(harness: CatalogueHarness, id: TokenId, { act, terms }: Act): Promise<void> {
  const { parties } = harness
  const access = await requireKnown((parties[0] as Party).ledger.access(id, nobody))
  const index = parties.findIndex((party) => accountOf(party) === access.owner)
  const [owner, other] = [parties[index], parties[(index + 1) % parties.length]] as [Party, Party]
  const offered = await requireKnown(owner.ledger.listing(id))
  const isForSale = offered.price > 0n
  const isForRent = offered.rentalPricePerDay > 0n
  const nothing = async () => undefined
  const order = async (ordered: 'buy' | 'rent') => {
    const input = { tokenId: id, act: ordered, recipient: accountOf(other) }
    return other.payOrder(await orderFor(harness, other, input))
  }
  const { price = 0n, rentalPricePerDay: perDay = 0n } = offered.dollars ?? {}
  const performers: { readonly [name in Act['act']]: () => Promise<unknown> } = {
    list: () => list(owner, id, terms),
    'list in dollars': () => list(owner, id, inDollars(terms)),
    order: price > 0n ? () => order('buy') : nothing,
    'order a rental': perDay > 0n ? () => order('rent') : nothing,
    'take down': () => list(owner, id, {}),
    transfer: () => owner.transfer(id, accountOf(other)),
    buy: isForSale ? () => buy(other, id) : nothing,
    rent: isForRent ? () => rent(other, id, 1) : nothing,
    renew: isForRent ? () => rent(other, id, 2) : nothing,
  }
  await performers[act]()
}

async function assertSame(harness: CatalogueHarness, id: TokenId): Promise<void> {
  const [{ ledger }] = partiesFrom(harness)
  const { owner, terms, listedAt, ...token } = await readToken(harness, id)
  const { seller, tokenId: _, ...offered } = await requireKnown(ledger.listing(id))
  assert.equal(owner, (await requireKnown(ledger.access(id, nobody))).owner)
  const owed = Object.entries(token).filter(([name]) => name in offered)
  assert.deepEqual({ ...Object.fromEntries(owed), ...terms }, offered)
  assert.equal(listedAt !== undefined, seller !== nobody)
  const rentals = await harness.catalogue.rentals(id, harness.now(), 100)
  assert.deepEqual(await harness.catalogue.rentals(id, harness.now(), 1), rentals.slice(0, 1))
  for (const { ledger: reader } of harness.parties) {
    const { expiresAt = 0 } = await requireKnown(reader.access(id, reader.agent))
    const running = rentals.find(({ renter }) => renter === reader.agent)?.expiresAt ?? 0
    assert.equal(running, expiresAt)
  }
  const ends = rentals.map(({ expiresAt }) => expiresAt)
  assert.deepEqual(
    ends,
    ends.toSorted((one, other) => other - one),
  )
}
