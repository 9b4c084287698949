import type { Terms } from '../acts/listing-terms.ts'

/** Describes what one can do to open a memory at its terms; those of one that is not listed are absent. */
export function howToOpen(terms: Terms | undefined): string {
  const isForSale = terms !== undefined && terms.price !== '0'
  const isForRent = terms !== undefined && terms.rentalPricePerDay !== '0'
  const ways = [isForSale ? ['buy'] : [], isForRent ? ['rent'] : []].flat().join(' or ')
  if (ways === '') return 'It is offered neither for sale nor for rent now.'
  return `${ways.charAt(0).toUpperCase()}${ways.slice(1)} it to open it here.`
}
