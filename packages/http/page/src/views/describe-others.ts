import type { Token } from '../../../src/client/responses.ts'
import { type Sort, sorts } from './browse-query.ts'

const prices = ['price', 'rentalPricePerDay', 'forkPrice']

/**
 * Describes the other matching listings of the family that a listing stands for, and in an order of
 * prices why it does; empty when there are none.
 */
export function describeOthers({ tokenId, family }: Pick<Token, 'tokenId' | 'family'>, sort: Sort) {
  if (family === undefined || family.listings < 2) return ''
  const others = family.listings - 1
  const versions = family.versions < 2 ? '' : `, ${family.versions} versions`
  const [key, , name] = sorts[sort]
  const reason = prices.includes(key) ? `; No. ${tokenId} has the ${name.toLowerCase()}` : ''
  const offers = others === 1 ? '1 more offer' : `${others} more offers`
  return `${offers} of this memory${versions}${reason}`
}
