import { day, type Hex, type Instant, instant } from '@heirloom/core'
import { concat, size } from 'viem'
import type { LedgerWorld } from '../harness.ts'
import type { Broken } from './broken.ts'
import { falseReceipt, instead, partIn, worldWith } from './faulty-harness.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** One world for each law of rentals and signatures. */
export const brokenRenters: readonly Broken<LedgerWorld>[] = [
  {
    law: 'rents to the recipient for the days paid',
    fault: 'is off by one day for a gift',
    open: worldWith(() => {
      const gifts = new Set<string>()
      return (inner) => ({
        rent: async (rental) => {
          const receipt = await inner.rent(rental)
          if (rental.recipient === inner.agent) return receipt
          gifts.add(partIn(rental.tokenId, rental.recipient))
          return { ...receipt, expiresAt: instant(receipt.expiresAt - day) }
        },
        access: async (id, account) => {
          const access = await inner.access(id, account)
          if (!access?.expiresAt || !gifts.has(partIn(id, account))) return access
          return { ...access, expiresAt: instant(access.expiresAt - day) }
        },
      })
    }),
  },
  {
    law: 'renews from the end of the running rental',
    fault: 'renews from now',
    open: worldWith(() => {
      const ends = new Map<string, Instant>()
      return (inner, world) => ({
        rent: async (rental) => {
          const { tokenId, recipient, days } = rental
          const running = (await inner.access(tokenId, recipient))?.expiresAt
          const receipt = await inner.rent(rental)
          const isRenewal = running !== undefined && running < receipt.expiresAt
          if (!isRenewal || running < world.now()) return receipt
          const expiresAt = instant(world.now() + days * day)
          ends.set(partIn(tokenId, recipient), expiresAt)
          return { ...receipt, expiresAt }
        },
        access: async (id, account) => {
          const access = await inner.access(id, account)
          return (
            access && { ...access, expiresAt: ends.get(partIn(id, account)) ?? access.expiresAt }
          )
        },
      })
    }),
  },
  {
    law: 'refuses a rental beyond 365 days ahead with `rental/too-long`',
    fault: 'shortens what is too long',
    open: worldWith(() => (inner, world) => ({
      rent: (rental) =>
        instead('rental/too-long', inner.rent(rental), () => ({
          expiresAt: instant(world.now() + 365 * day),
          ...falseReceipt,
        })),
    })),
  },
  {
    law: 'refuses a rental of any but 1 to 365 whole days with `rental/bad-duration`',
    fault: 'rounds the days up',
    open: worldWith(() => (inner) => ({
      rent: (rental) => inner.rent({ ...rental, days: Math.ceil(rental.days) }),
    })),
  },
  {
    law: 'refuses a rental of what is not for rent with `listing/not-for-rent`',
    fault: 'rents for nothing',
    open: worldWith(() => (inner, world) => ({
      rent: (rental) =>
        instead('listing/not-for-rent', inner.rent(rental), () => ({
          expiresAt: world.now(),
          ...falseReceipt,
        })),
    })),
  },
  {
    law: 'keeps rentals when the token is sold',
    fault: 'ends rentals with the sale',
    open: worldWith(() => {
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
    law: 'recognises what an account signed and nothing else',
    fault: 'recognises both forms of a signature',
    open: worldWith(() => (inner) => ({
      signed: async (statement) => {
        const said = await inner.signed(statement)
        if (said !== false || statement.signature.length !== 132) return said
        return inner.signed({ ...statement, signature: twin(statement.signature) })
      },
    })),
  },
  {
    law: 'believes a contract of what its owners signed and of nothing else',
    fault: 'lets one owner speak for all',
    open: worldWith(() => (inner) => ({
      contractSigned: async (statement) => {
        const both = concat([statement.signature, statement.signature])
        return (
          (await inner.contractSigned(statement)) ||
          size(statement.signature) === 65 ||
          inner.contractSigned({ ...statement, signature: both })
        )
      },
    })),
  },
]

function twin(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const tail = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${tail}` as Hex
}
