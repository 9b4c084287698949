import assert from 'node:assert/strict'
import { digest, hash, nobody, tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBytes32 } from '../../arbitraries/bytes.ts'
import type { LedgerWorld } from '../../harness.ts'
import type { Law } from '../law.ts'
import { refuses } from '../refuses.ts'
import {
  accountOf,
  arbitraryContent,
  arbitraryParty,
  castOf,
  drift,
  known,
  mintBy,
  ownerOf,
  refusesWrite,
} from './fixture.ts'

const price = wei(7n)
const offeredEveryWay = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 0 }

/** A few mints, some of which show a card. */
const arbitraryMints = fc
  .array(fc.tuple(arbitraryContent, fc.option(arbitraryBytes32.map(digest), { nil: undefined })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((mints) => mints.map(([content, card]) => ({ ...content, card })))

/** What every ledger keeps when it mints. */
export const mintLaws: readonly Law<LedgerWorld>[] = [
  {
    name: 'names one registry, whoever signs',
    holds: async ({ parties, pauper }) => {
      const { registry } = pauper.ledger
      assert.ok(Number.isSafeInteger(registry.chainId) && registry.chainId > 0)
      assert.notEqual(registry.address, nobody)
      for (const { ledger } of parties) assert.deepEqual(ledger.registry, registry)
    },
  },
  {
    name: 'records a mint as it was made',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          arbitraryContent,
          arbitraryParty,
          fc.boolean(),
          async (content, first, isChild) => {
            const [author] = castOf(world, first)
            const parent = isChild ? await mintBy(author) : undefined
            const recipient = accountOf(author)
            const minted = await author.ledger.mint({ ...content, parent, recipient })
            const { mintedAt, ...record } = await known(author.ledger.provenance(minted.tokenId))
            const creator = recipient
            assert.deepEqual(record, { tokenId: minted.tokenId, ...content, parent, creator })
            assert.ok(Math.abs(mintedAt - world.now()) <= drift, 'it is dated now')
            assert.equal(mintedAt % 1000, 0)
            const access = await known(author.ledger.access(minted.tokenId, recipient))
            const { asOf: _, ...rights } = access
            const source = { tokenId: minted.tokenId, creator }
            assert.deepEqual(rights, { owner: recipient, expiresAt: undefined, ...content, source })
          },
        ),
      ),
  },
  {
    name: 'numbers tokens one after another from 1',
    holds: async (world) => {
      let last = 0n
      await fc.assert(
        fc.asyncProperty(arbitraryParty, async (first) => {
          const [author] = castOf(world, first)
          const id = await mintBy(author)
          last += 1n
          assert.equal(id, last)
        }),
      )
    },
  },
  {
    name: 'mints to the recipient and names the payer as creator',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryContent, arbitraryParty, async (content, first) => {
          const [author, heir] = castOf(world, first)
          const gift = { ...content, parent: undefined, recipient: accountOf(heir) }
          const minted = await author.ledger.mint(gift)
          const record = await known(heir.ledger.provenance(minted.tokenId))
          assert.equal(record.creator, accountOf(author))
          assert.equal(await ownerOf(author, minted.tokenId), accountOf(heir))
        }),
      ),
  },
  {
    name: 'tells the card of a mint that has one, and of no other',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryMints, arbitraryParty, async (mints, first) => {
          const [{ ledger }] = castOf(world, first)
          const root = { parent: undefined, recipient: ledger.agent }
          // Those that are asked for at once may share a transaction.
          const minted = await Promise.all(mints.map((mint) => ledger.mint({ ...mint, ...root })))
          for (const [index, { tokenId: id }] of minted.entries()) {
            const { card, ...content } = mints[index] ?? assert.fail()
            const { contentHash, digest } = await known(ledger.provenance(id))
            assert.deepEqual({ contentHash, digest }, content)
            assert.equal(await world.cardOf(id), card)
          }
        }),
      ),
  },
  {
    name: 'refuses an unknown parent with `token/not-found`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryContent, fc.bigInt(1n, 2n ** 200n), async (content, ahead) => {
          const [author] = castOf(world)
          const newest = await mintBy(author)
          const parent = tokenId(newest + ahead)
          const recipient = accountOf(author)
          await refusesWrite(world, tokenId(newest + 1n), 'token/not-found', () =>
            author.ledger.mint({ ...content, parent, recipient }),
          )
        }),
      ),
  },
  {
    name: 'refuses the parent 0 and the content hash 0',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryContent, arbitraryParty, async (content, first) => {
          const [author] = castOf(world, first)
          const next = tokenId((await mintBy(author)) + 1n)
          const root = { ...content, parent: undefined, recipient: accountOf(author) }
          await refusesWrite(world, next, 'token/not-found', () =>
            author.ledger.mint({ ...root, parent: tokenId(0n) }),
          )
          await refusesWrite(world, next, 'value/invalid', () =>
            author.ledger.mint({ ...root, contentHash: hash(`0x${'00'.repeat(32)}`) }),
          )
        }),
      ),
  },
  {
    name: 'refuses a recipient that cannot hold a token with `recipient/invalid`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryContent, arbitraryParty, async (content, first) => {
          const [author, buyer] = castOf(world, first)
          const id = await mintBy(author)
          await author.ledger.list({ ...offeredEveryWay, tokenId: id })
          const code = 'recipient/invalid'
          const recipient = nobody
          const { ledger } = buyer
          await refuses(code, ledger.mint({ ...content, parent: undefined, recipient }))
          await refuses(code, ledger.buy({ tokenId: id, price, recipient }))
          await refuses(code, ledger.rent({ tokenId: id, days: 1, price, recipient }))
          await refuses(code, ledger.fork({ tokenId: id, maxRoyaltyBps: 0, price, recipient }))
          assert.equal(await ownerOf(buyer, id), accountOf(author))
        }),
      ),
  },
  {
    name: 'knows nothing of a token that was never minted',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(fc.bigInt(1n, 2n ** 200n), arbitraryParty, async (ahead, first) => {
          const [{ ledger }, author] = castOf(world, first)
          const newest = await mintBy(author)
          for (const id of [newest + ahead, 0n, 2n ** 256n - 1n].map((n) => tokenId(n))) {
            assert.equal(await ledger.access(id, ledger.agent), undefined)
            assert.equal(await ledger.provenance(id), undefined)
            assert.equal(await ledger.listing(id), undefined)
          }
        }),
      ),
  },
]
