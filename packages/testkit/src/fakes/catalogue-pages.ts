import { Failure, type Page, type PageInput } from '@heirloom/core'

/** An order of items. */
export type Order<T> = {
  /** Identifies the order in cursors. */
  readonly name: string
  /** Returns the sort key of an item, which does not depend on other items. */
  readonly keyOf: (item: T) => OrderKey
  readonly descending?: boolean
}

/** A sort key: the second number orders items whose first number is equal. */
export type OrderKey = readonly [bigint, bigint]

/**
 * Returns a page of items in an order.
 *
 * @throws `request/malformed` for an invalid cursor, or a cursor of another order
 */
export function pageOf<T>(
  items: readonly T[],
  { after, limit }: PageInput,
  order: Order<T>,
): Page<T> {
  const { keyOf, descending = false } = order
  const compare = ([a, b]: OrderKey, [c, d]: OrderKey): bigint =>
    a === c ? b - d : descending ? c - a : a - c
  const begin = after === undefined ? undefined : readCursor(after, order.name)
  const rest = items
    .filter((item) => begin === undefined || compare(keyOf(item), begin) > 0n)
    .toSorted((one, other) => (compare(keyOf(one), keyOf(other)) > 0n ? 1 : -1))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const isEnd = last === undefined || rest.length === page.length
  return { items: page, next: isEnd ? undefined : writeCursor(order.name, keyOf(last)) }
}

const writeCursor = (order: string, [key, id]: OrderKey) => `${order}.${key}.${id}`

function readCursor(text: string, order: string): OrderKey {
  const [name, key = '', id = '', more] = text.split('.')
  const isDecimal = /^(0|-?[1-9][0-9]{0,77})$/
  if (name !== order || more !== undefined || !isDecimal.test(key) || !isDecimal.test(id)) {
    throw new Failure('request/malformed', { where: 'after', problem: 'is no cursor of this list' })
  }
  return [BigInt(key), BigInt(id)]
}
