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
import type { CatalogueWorld, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import { accountOf, arbitraryParty, castOf, known } from '../ledger/fixture.ts'
import { originalityLaw } from './originality.ts'
import { all, arbitraryOffer, buy, fork, freshContent, list, mint, rent, told } from './fixture.ts'

const acts = ['list', 'buy', 'transfer', 'rent', 'take down', 'renew'] as const

/** What every catalogue keeps of single tokens. */
export const tokenLaws: readonly Law<CatalogueWorld>[] = [
  {
    name: 'tells every token as the ledger does',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryParty, fc.boolean(), async (first, isChild) => {
          const [maker, owner] = castOf(world, first)
          const root = await mint(world, maker)
          const parent = isChild ? { parent: root } : {}
          const child = await mint(world, maker, { ...parent, to: owner })
          for (const id of [root, child]) {
            const record = await known(maker.ledger.provenance(id))
            const token = await told(world, id)
            assert.deepEqual(provenanceIn(token), record)
            assert.equal(token.mintedIn.at, record.mintedAt)
          }
        }),
      ),
  },
  {
    name: "tells a token's owner, terms and rentals after every write as the ledger does",
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 5 }),
          arbitraryOffer,
          fc.boolean(),
          async (story, terms, isFork) => {
            const cast = castOf(world)
            const root = await mint(world, cast[0])
            if (isFork) await list(cast[0], root, { forkPrice: wei(1n), forkRoyaltyBps: 6000 })
            const id = isFork ? await fork(cast[0], root) : root
            for (const act of story) {
              await play(cast, id, { act, terms })
              await assertSame(world, id)
            }
          },
        ),
      ),
  },
  originalityLaw,
  {
    name: 'tells the tokens of an owner, a creator, a parent, a renter and a content hash',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 3 }), arbitraryParty, async (limit, first) => {
          const [maker, owner, guest] = castOf(world, first)
          const contentHash = freshContent()
          const parent = await mint(world, maker, { contentHash })
          const ids = [
            await mint(world, maker, { parent, to: owner }),
            await mint(world, maker, { parent, to: guest }),
            await mint(world, owner, { parent, to: guest }),
          ] as const
          await list(owner, ids[0], { rentalPricePerDay: wei(1n) })
          await rent(guest, ids[0], 1)
          await world.caughtUp()
          const idsOf = async (query: object) =>
            (await all((after) => world.catalogue.tokens({ ...query, after, limit }))).map(
              (token) => token.tokenId,
            )
          const newestFirst = ids.toReversed()
          assert.deepEqual(await idsOf({ parent }), newestFirst)
          assert.deepEqual(
            await idsOf({ parent, owner: accountOf(guest) }),
            newestFirst.slice(0, 2),
          )
          assert.deepEqual(await idsOf({ parent, creator: accountOf(maker) }), [ids[1], ids[0]])
          assert.deepEqual(await idsOf({ parent, renter: accountOf(guest) }), [ids[0]])
          assert.deepEqual(await idsOf({ contentHash }), [parent])
        }),
      ),
  },
  {
    name: 'knows nothing of a token that was never minted',
    holds: async (world) => {
      await mint(world, castOf(world)[0])
      await world.caughtUp()
      for (const id of [tokenId(0n), tokenId(10n ** 6n), tokenId(2n ** 255n)]) {
        const { catalogue } = world
        assert.equal(await catalogue.token(id), undefined)
        assert.equal(await catalogue.lineage(id), undefined)
        assert.equal(await catalogue.history(id, { limit: 1 }), undefined)
        assert.deepEqual(await catalogue.rentals(id, world.now(), 1), [])
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

/** Plays an act of the token's owner and of another party; one that cannot be played is left out. */
async function play(cast: readonly Party[], id: TokenId, { act, terms }: Act): Promise<void> {
  const access = await known((cast[0] as Party).ledger.access(id, nobody))
  const index = cast.findIndex((party) => accountOf(party) === access.owner)
  const [owner, other] = [cast[index], cast[(index + 1) % cast.length]] as [Party, Party]
  const offered = await known(owner.ledger.listing(id))
  const isForSale = offered.price > 0n
  const isForRent = offered.rentalPricePerDay > 0n
  const nothing = async () => undefined
  const plays: { readonly [name in Act['act']]: () => Promise<unknown> } = {
    list: () => list(owner, id, terms),
    'take down': () => list(owner, id, {}),
    transfer: () => owner.transfer(id, accountOf(other)),
    buy: isForSale ? () => buy(other, id) : nothing,
    rent: isForRent ? () => rent(other, id, 1) : nothing,
    renew: isForRent ? () => rent(other, id, 2) : nothing,
  }
  await plays[act]()
}

async function assertSame(world: CatalogueWorld, id: TokenId): Promise<void> {
  const [{ ledger }] = castOf(world)
  const { owner, terms, listedAt, ...token } = await told(world, id)
  const { effectiveRoyaltyBps, totalRoyaltyBps, canBeForked } = token
  const owed = { effectiveRoyaltyBps, totalRoyaltyBps, canBeForked }
  const { seller, tokenId: _, ...offered } = await known(ledger.listing(id))
  assert.equal(owner, (await known(ledger.access(id, nobody))).owner)
  assert.deepEqual({ ...terms, ...owed }, offered)
  assert.equal(listedAt !== undefined, seller !== nobody)
  const rentals = await world.catalogue.rentals(id, world.now(), 100)
  assert.deepEqual(await world.catalogue.rentals(id, world.now(), 1), rentals.slice(0, 1))
  for (const { ledger: reader } of world.parties) {
    const { expiresAt = 0 } = await known(reader.access(id, reader.agent))
    const running = rentals.find(({ renter }) => renter === reader.agent)?.expiresAt ?? 0
    assert.equal(running, expiresAt)
  }
  const ends = rentals.map(({ expiresAt }) => expiresAt)
  assert.deepEqual(
    ends,
    ends.toSorted((one, other) => other - one),
  )
}
