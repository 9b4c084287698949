import { Failure, type Ledger, type TokenId, type Wei, wei } from '@heirloom/core'
import type { LedgerWorld } from '../harness.ts'
import type { Broken } from './broken.ts'
import { falseReceipt, instead, ownersLedger, worldWith } from './faulty-harness.ts'

/** One world for each law of royalties. */
export const brokenRoyalties: readonly Broken<LedgerWorld>[] = [
  {
    law: 'shows what a fork would owe in all',
    fault: 'shows the listed share as the total',
    open: worldWith(() => (inner) => ({
      listing: async (tokenId) => {
        const listing = await inner.listing(tokenId)
        return listing && { ...listing, totalRoyaltyBps: listing.forkRoyaltyBps }
      },
    })),
  },
  {
    law: 'splits the price of a licensed fork among the claims on it',
    fault: 'leaves a whole rent to the owner',
    open: worldWith(() => (inner, world) => ({
      rent: async (rental) => {
        const before = await balancesOf(world)
        const receipt = await inner.rent(rental)
        const record = await inner.provenance(rental.tokenId)
        const owner = await ownersLedger(world, rental.tokenId)
        if (record?.parent !== undefined) await giveBack(world, owner, before)
        return receipt
      },
    })),
  },
  {
    law: "never shrinks an ancestor's claim by a fork",
    fault: 'strips every claim by a fork at 0 basis points',
    open: worldWith(() => (inner) => ({
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
    open: worldWith(() => (inner) => ({
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
    law: 'keeps the eight oldest claims',
    fault: 'refuses a ninth claim',
    open: worldWith(() => {
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
    law: 'refuses a fork of a chain of 64 with `lineage/too-deep`',
    fault: 'makes up a fork of a chain that is too deep',
    open: worldWith(() => (inner) => ({
      fork: (fork) =>
        instead('lineage/too-deep', inner.fork(fork), () => ({
          tokenId: fork.tokenId,
          ...falseReceipt,
        })),
    })),
  },
]

const balancesOf = ({ parties }: LedgerWorld) =>
  Promise.all(parties.map((party) => party.balance()))

/** Moves all that others have gained to an account, which creates a token to be paid for. */
async function giveBack(world: LedgerWorld, receiver: Ledger, before: readonly Wei[]) {
  const bytes = `0x${'02'.repeat(32)}` as never
  const content = { contentHash: bytes, digest: bytes, parent: undefined }
  const { tokenId } = await receiver.mint({ ...content, recipient: receiver.agent })
  for (const [index, { ledger, balance }] of world.parties.entries()) {
    const gained = (await balance()) - (before[index] ?? 0n)
    if (gained > 0n && ledger !== receiver)
      await ledger.payRoyalty({ tokenId, amount: wei(gained) })
  }
}
