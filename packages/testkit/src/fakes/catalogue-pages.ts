import { Failure, type Page, type PageInput } from '@heirloom/core'

/** Puts things in an order; a name tells that order from others. */
export type Order<T> = {
  readonly name: string
  /** Where a thing stands in the order, and stays while others come and go. */
  readonly placeOf: (item: T) => Place
  readonly descending?: boolean
}

/** Equals are in the order of the second number, or of that alone. */
export type Place = readonly [bigint, bigint]

/**
 * Returns a page of things in their order.
 *
 * @throws `request/malformed` for a cursor of another order, or none
 */
export function pageOf<T>(
  items: readonly T[],
  { after, limit }: PageInput,
  order: Order<T>,
): Page<T> {
  const { placeOf, descending = false } = order
  const compare = ([a, b]: Place, [c, d]: Place): bigint =>
    a === c ? b - d : descending ? c - a : a - c
  const begin = after === undefined ? undefined : readCursor(after, order.name)
  const rest = items
    .filter((item) => begin === undefined || compare(placeOf(item), begin) > 0n)
    .toSorted((one, other) => (compare(placeOf(one), placeOf(other)) > 0n ? 1 : -1))
  const told = rest.slice(0, limit)
  const last = told.at(-1)
  const isEnd = last === undefined || rest.length === told.length
  return { items: told, next: isEnd ? undefined : writeCursor(order.name, placeOf(last)) }
}

const writeCursor = (order: string, [key, id]: Place) => `${order}.${key}.${id}`

function readCursor(text: string, order: string): Place {
  const [name, key = '', id = '', more] = text.split('.')
  const isDecimal = /^(0|-?[1-9][0-9]{0,77})$/
  if (name !== order || more !== undefined || !isDecimal.test(key) || !isDecimal.test(id)) {
    throw new Failure('request/malformed', { where: 'after', problem: 'is no cursor of this list' })
  }
  return [BigInt(key), BigInt(id)]
}
