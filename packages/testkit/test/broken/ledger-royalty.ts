import { Failure, type Ledger, type TokenId, type Wei, wei } from '@heirloom/core'
import type { LedgerHarness } from '../../src/harness.ts'
import {
  type Broken,
  falseReceipt,
  faultyHarness,
  ownersLedger,
  recoverFrom,
} from './faulty-harness.ts'

/** A harness with broken ledgers for each law of royalties. */
export const brokenRoyalties: readonly Broken<LedgerHarness>[] = [
  {
    law: 'returns the total royalty that a fork would owe',
    fault: 'returns the listed share as the total',
    open: faultyHarness(() => (inner) => ({
      listing: async (tokenId) => {
        const listing = await inner.listing(tokenId)
        return listing && { ...listing, totalRoyaltyBps: listing.forkRoyaltyBps }
      },
    })),
  },
  {
    law: 'splits the price of a licensed fork among the claims on it',
    fault: 'pays a whole rent to the owner',
    open: faultyHarness(() => (inner, harness) => ({
      rent: async (rental) => {
        const before = await balancesOf(harness)
        const receipt = await inner.rent(rental)
        const record = await inner.provenance(rental.tokenId)
        const owner = await ownersLedger(harness, rental.tokenId)
        if (record?.parent !== undefined) await giveBack(harness, owner, before)
        return receipt
      },
    })),
  },
  {
    law: "never reduces an ancestor's claim by a fork",
    fault: 'removes every claim by a fork at 0 basis points',
    open: faultyHarness(() => (inner) => ({
      fork: async (fork) => {
        const { tokenId, price, recipient } = fork
        const listing = await inner.listing(tokenId)
        const record = await inner.provenance(tokenId)
        const isFree = listing?.forkPrice === price && price > 0n && listing.forkRoyaltyBps === 0
        const isAccepted = listing && listing.totalRoyaltyBps <= fork.maxRoyaltyBps
        if (!record || !isFree || !isAccepted || listing.totalRoyaltyBps === 0) {
          return inner.fork(fork)
        }
        await inner.payRoyalty({ tokenId, amount: price })
        return inner.mint({ ...record, parent: tokenId, recipient })
      },
    })),
  },
  {
    law: 'caps the claims on a token at its whole price',
    fault: 'refuses a fork whose claims would exceed the price',
    open: faultyHarness(() => (inner) => ({
      fork: async (fork) => {
        const listing = await inner.listing(fork.tokenId)
        const { effectiveRoyaltyBps = 0, forkRoyaltyBps: royaltyBps = 0 } = listing ?? {}
        const isCapped = listing?.totalRoyaltyBps === 10_000 && royaltyBps > effectiveRoyaltyBps
        if (isCapped) throw new Failure('royalty/bad-share', { royaltyBps, limit: 10_000 })
        return inner.fork(fork)
      },
    })),
  },
  {
    law: 'keeps only the eight oldest claims',
    fault: 'refuses a ninth claim',
    open: faultyHarness(() => {
      const claims = new Map<TokenId, number>()
      return (inner) => ({
        fork: async (fork) => {
          const { tokenId } = fork
          const count = claims.get(tokenId) ?? 0
          if (count === 8) throw new Failure('lineage/too-deep', { tokenId, limit: 8 })
          const listing = await inner.listing(tokenId)
          const receipt = await inner.fork(fork)
          claims.set(receipt.tokenId, listing?.effectiveRoyaltyBps ? count + 1 : count)
          return receipt
        },
      })
    }),
  },
  {
    law: 'refuses to fork a token at the depth limit of its lineage with `lineage/too-deep`',
    fault: 'returns a false receipt for a fork that is too deep',
    open: faultyHarness(() => (inner) => ({
      fork: (fork) =>
        recoverFrom('lineage/too-deep', inner.fork(fork), () => ({
          tokenId: fork.tokenId,
          ...falseReceipt,
        })),
    })),
  },
]

const balancesOf = ({ parties }: LedgerHarness) =>
  Promise.all(parties.map((party) => party.balance()))

/** Moves all gains of other parties to an account, as royalties for a token that it creates. */
async function giveBack(harness: LedgerHarness, receiver: Ledger, before: readonly Wei[]) {
  const bytes = `0x${'02'.repeat(32)}` as never
  const content = { contentHash: bytes, digest: bytes, parent: undefined }
  const { tokenId } = await receiver.mint({ ...content, recipient: receiver.agent })
  for (const [index, { ledger, balance }] of harness.parties.entries()) {
    const gained = (await balance()) - (before[index] ?? 0n)
    if (gained > 0n && ledger !== receiver)
      await ledger.payRoyalty({ tokenId, amount: wei(gained) })
  }
}
