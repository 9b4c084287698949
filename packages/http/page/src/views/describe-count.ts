import type { Facets, Page } from '../../../src/client/responses.ts'

/** Describes how many offers there are, and of how many memories; without the numbers, by what is loaded. */
export function describeCount(
  { items: { length }, next }: Page<unknown>,
  facets: Pick<Facets, 'total' | 'isCut' | 'families'> | undefined,
): string {
  if (facets === undefined || facets.total === 0) {
    return next === null ? offered(length) : `More than ${offered(length)}`
  }
  const { total, isCut, families } = facets
  if (isCut) return `More than ${offered(total)}`
  return families < total
    ? `${format(total)} offers of ${format(families)} ${families === 1 ? 'memory' : 'memories'}`
    : offered(total)
}

function offered(count: number): string {
  return count === 1 ? '1 memory is on offer' : `${format(count)} memories are on offer`
}

const format = (count: number): string => new Intl.NumberFormat('en').format(count)
