import { day, type Hex, type Instant, instant } from '@heirloom/core'
import { concat, size } from 'viem'
import type { LedgerHarness } from '../../src/harness.ts'
import {
  type Broken,
  falseReceipt,
  faultyHarness,
  recoverFrom,
  shareKey,
} from './faulty-harness.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A harness with broken ledgers for each law of rentals and signatures. */
export const brokenRentals: readonly Broken<LedgerHarness>[] = [
  {
    law: 'rents to the recipient for the days paid',
    fault: 'is off by one day for a gift',
    open: faultyHarness(() => {
      const gifts = new Set<string>()
      return (inner) => ({
        rent: async (rental) => {
          const receipt = await inner.rent(rental)
          if (rental.recipient === inner.agent) return receipt
          gifts.add(shareKey(rental.tokenId, rental.recipient))
          return { ...receipt, expiresAt: instant(receipt.expiresAt - day) }
        },
        access: async (id, account) => {
          const access = await inner.access(id, account)
          if (!access?.expiresAt || !gifts.has(shareKey(id, account))) return access
          return { ...access, expiresAt: instant(access.expiresAt - day) }
        },
      })
    }),
  },
  {
    law: 'renews from the end of the running rental',
    fault: 'renews from now',
    open: faultyHarness(() => {
      const ends = new Map<string, Instant>()
      return (inner, harness) => ({
        rent: async (rental) => {
          const { tokenId, recipient, days } = rental
          const running = (await inner.access(tokenId, recipient))?.expiresAt
          const receipt = await inner.rent(rental)
          const isRenewal = running !== undefined && running < receipt.expiresAt
          if (!isRenewal || running < harness.now()) return receipt
          const expiresAt = instant(harness.now() + days * day)
          ends.set(shareKey(tokenId, recipient), expiresAt)
          return { ...receipt, expiresAt }
        },
        access: async (id, account) => {
          const access = await inner.access(id, account)
          return (
            access && { ...access, expiresAt: ends.get(shareKey(id, account)) ?? access.expiresAt }
          )
        },
      })
    }),
  },
  {
    law: 'refuses a rental beyond 365 days ahead with `rental/too-long`',
    fault: 'shortens a rental that is too long',
    open: faultyHarness(() => (inner, harness) => ({
      rent: (rental) =>
        recoverFrom('rental/too-long', inner.rent(rental), () => ({
          expiresAt: instant(harness.now() + 365 * day),
          ...falseReceipt,
        })),
    })),
  },
  {
    law: 'refuses a rental that is not 1 to 365 whole days with `rental/bad-duration`',
    fault: 'rounds the days up',
    open: faultyHarness(() => (inner) => ({
      rent: (rental) => inner.rent({ ...rental, days: Math.ceil(rental.days) }),
    })),
  },
  {
    law: 'refuses to rent a token that is not for rent with `listing/not-for-rent`',
    fault: 'rents a token that is not for rent at no price',
    open: faultyHarness(() => (inner, harness) => ({
      rent: (rental) =>
        recoverFrom('listing/not-for-rent', inner.rent(rental), () => ({
          expiresAt: harness.now(),
          ...falseReceipt,
        })),
    })),
  },
  {
    law: 'keeps rentals when the token is sold',
    fault: 'ends rentals with the sale',
    open: faultyHarness(() => {
      const sold = new Set<bigint>()
      return (inner) => ({
        buy: async (sale) => {
          const receipt = await inner.buy(sale)
          sold.add(sale.tokenId)
          return receipt
        },
        access: async (id, account) => {
          const access = await inner.access(id, account)
          return access && sold.has(id) ? { ...access, expiresAt: undefined } : access
        },
      })
    }),
  },
  {
    law: 'accepts the signatures of an account and no others',
    fault: 'accepts both s values of a signature',
    open: faultyHarness(() => (inner) => ({
      isSignedByKey: async (statement) => {
        const isSigned = await inner.isSignedByKey(statement)
        if (isSigned !== false || statement.signature.length !== 132) return isSigned
        return inner.isSignedByKey({ ...statement, signature: twin(statement.signature) })
      },
    })),
  },
  {
    law: 'accepts the signatures that a contract wallet recognises and no others',
    fault: 'accepts one owner for all',
    open: faultyHarness(() => (inner) => ({
      isSignedByContract: async (statement) => {
        const both = concat([statement.signature, statement.signature])
        return (
          (await inner.isSignedByContract(statement)) ||
          size(statement.signature) === 65 ||
          inner.isSignedByContract({ ...statement, signature: both })
        )
      },
    })),
  },
  {
    law: 'accepts the own signature of a creator and no others',
    fault: 'accepts both s values of the signature of a creator',
    open: faultyHarness(() => (inner) => ({
      isSignedByCreator: async (statement) =>
        (await inner.isSignedByCreator(statement)) ||
        (statement.signature.length === 132 &&
          inner.isSignedByCreator({ ...statement, signature: twin(statement.signature) })),
    })),
  },
  {
    law: 'accepts of a creator with code what its contract recognises and no others',
    fault: 'takes the contract of a stranger for a creator',
    open: faultyHarness(() => (inner) => ({
      isSignedByCreator: async (statement) =>
        (await inner.isSignedByCreator(statement)) ||
        (statement.signature.length === 132 &&
          (await inner.isSignedByKey(statement)) === undefined),
    })),
  },
]

function twin(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const tail = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${tail}` as Hex
}
