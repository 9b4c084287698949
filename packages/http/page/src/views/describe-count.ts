import type { Facets, Page } from '../../../src/client/responses.ts'

/** Describes how many memories are on offer; without the numbers, by what is loaded. */
export function describeCount(
  { items: { length }, next }: Page<unknown>,
  facets: Pick<Facets, 'total' | 'isCut' | 'families'> | undefined,
): string {
  if (facets === undefined || facets.total === 0) {
    return next === null ? offered(length) : `More than ${offered(length)}`
  }
  const { total, isCut, families } = facets
  if (isCut) return `More than ${offered(total)}`
  const grouped =
    families < total ? `, of ${families} ${families === 1 ? 'family' : 'families'}` : ''
  return `${offered(total)}${grouped}`
}

function offered(count: number): string {
  const number = new Intl.NumberFormat('en').format(count)
  return count === 1 ? '1 memory is on offer' : `${number} memories are on offer`
}
