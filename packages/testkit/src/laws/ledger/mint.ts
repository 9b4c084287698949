import assert from 'node:assert/strict'
import { digest, hash, nobody, tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBytes32 } from '../../arbitraries/values.ts'
import type { LedgerHarness } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { refuses } from '../refuses.ts'
import {
  accountOf,
  arbitraryContent,
  arbitraryParty,
  drift,
  mintBy,
  ownerOf,
  partiesFrom,
  refusesWrite,
  requireKnown,
} from './fixture.ts'

const price = wei(7n)
const offeredEveryWay = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 0 }

/** A few mints, some of them with a card. */
const arbitraryMints = fc
  .array(fc.tuple(arbitraryContent, fc.option(arbitraryBytes32.map(digest), { nil: undefined })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((mints) => mints.map(([content, card]) => ({ ...content, card })))

/** The laws of mints. */
export const mintLaws: readonly Law<LedgerHarness>[] = [
  {
    name: 'names the same registry for every wallet',
    holds: async ({ parties, pauper }) => {
      const { registry } = pauper.ledger
      assert.ok(Number.isSafeInteger(registry.chainId) && registry.chainId > 0)
      assert.notEqual(registry.address, nobody)
      for (const { ledger } of parties) assert.deepEqual(ledger.registry, registry)
    },
  },
  forAll(
    'records the content, parent and owner of a mint',
    [arbitraryContent, arbitraryParty, fc.boolean()],
    async (harness, content, first, isChild) => {
      const [author] = partiesFrom(harness, first)
      const parent = isChild ? await mintBy(author) : undefined
      const recipient = accountOf(author)
      const minted = await author.ledger.mint({ ...content, parent, recipient })
      const { mintedAt, ...record } = await requireKnown(author.ledger.provenance(minted.tokenId))
      const creator = recipient
      assert.deepEqual(record, { tokenId: minted.tokenId, ...content, parent, creator })
      assert.ok(Math.abs(mintedAt - harness.now()) <= drift, 'it is dated now')
      assert.equal(mintedAt % 1000, 0)
      const access = await requireKnown(author.ledger.access(minted.tokenId, recipient))
      const { asOf: _, ...rights } = access
      const source = { tokenId: minted.tokenId, creator }
      assert.deepEqual(rights, { owner: recipient, expiresAt: undefined, ...content, source })
    },
  ),
  {
    name: 'numbers tokens consecutively from 1',
    holds: async (harness) => {
      let last = 0n
      await fc.assert(
        fc.asyncProperty(arbitraryParty, async (first) => {
          const [author] = partiesFrom(harness, first)
          const id = await mintBy(author)
          last += 1n
          assert.equal(id, last)
        }),
      )
    },
  },
  forAll(
    'mints to the recipient and names the payer as creator',
    [arbitraryContent, arbitraryParty],
    async (harness, content, first) => {
      const [author, receiver] = partiesFrom(harness, first)
      const gift = { ...content, parent: undefined, recipient: accountOf(receiver) }
      const minted = await author.ledger.mint(gift)
      const record = await requireKnown(receiver.ledger.provenance(minted.tokenId))
      assert.equal(record.creator, accountOf(author))
      assert.equal(await ownerOf(author, minted.tokenId), accountOf(receiver))
    },
  ),
  forAll(
    'emits the card of a mint that has one and of no other',
    [arbitraryMints, arbitraryParty],
    async (harness, mints, first) => {
      const [{ ledger }] = partiesFrom(harness, first)
      const root = { parent: undefined, recipient: ledger.agent }
      // Concurrent mints may share a transaction.
      const minted = await Promise.all(mints.map((mint) => ledger.mint({ ...mint, ...root })))
      for (const [index, { tokenId: id }] of minted.entries()) {
        const { card, ...content } = mints[index] ?? assert.fail()
        const { contentHash, digest } = await requireKnown(ledger.provenance(id))
        assert.deepEqual({ contentHash, digest }, content)
        assert.equal(await harness.cardOf(id), card)
      }
    },
  ),
  forAll(
    'refuses an unknown parent with `token/not-found`',
    [arbitraryContent, fc.bigInt(1n, 2n ** 200n)],
    async (harness, content, ahead) => {
      const [author] = partiesFrom(harness)
      const newest = await mintBy(author)
      const parent = tokenId(newest + ahead)
      const recipient = accountOf(author)
      await refusesWrite(harness, tokenId(newest + 1n), 'token/not-found', () =>
        author.ledger.mint({ ...content, parent, recipient }),
      )
    },
  ),
  forAll(
    'refuses the parent 0 and the content hash 0',
    [arbitraryContent, arbitraryParty],
    async (harness, content, first) => {
      const [author] = partiesFrom(harness, first)
      const next = tokenId((await mintBy(author)) + 1n)
      const root = { ...content, parent: undefined, recipient: accountOf(author) }
      await refusesWrite(harness, next, 'token/not-found', () =>
        author.ledger.mint({ ...root, parent: tokenId(0n) }),
      )
      await refusesWrite(harness, next, 'value/invalid', () =>
        author.ledger.mint({ ...root, contentHash: hash(`0x${'00'.repeat(32)}`) }),
      )
    },
  ),
  forAll(
    'refuses a recipient that cannot hold a token with `recipient/invalid`',
    [arbitraryContent, arbitraryParty],
    async (harness, content, first) => {
      const [author, buyer] = partiesFrom(harness, first)
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
    },
  ),
  forAll(
    'returns nothing for a token that was never minted',
    [fc.bigInt(1n, 2n ** 200n), arbitraryParty],
    async (harness, ahead, first) => {
      const [{ ledger }, author] = partiesFrom(harness, first)
      const newest = await mintBy(author)
      for (const id of [newest + ahead, 0n, 2n ** 256n - 1n].map((n) => tokenId(n))) {
        assert.equal(await ledger.access(id, ledger.agent), undefined)
        assert.equal(await ledger.provenance(id), undefined)
        assert.equal(await ledger.listing(id), undefined)
      }
    },
  ),
]
