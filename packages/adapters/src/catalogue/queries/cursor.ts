import { Failure, type Page, type PageInput } from '@heirloom/core'

/** Where a page ended: what its last item is sorted by, and what tells it from its equals. */
export type Place = readonly [key: string, id: number]

/**
 * Reads the cursor of a list of some kind, whose keys look alike.
 *
 * @throws `request/malformed`
 */
export function placeIn(
  { after }: Pick<PageInput, 'after'>,
  { kind, key }: { readonly kind: string; readonly key: RegExp },
): Place | undefined {
  if (after === undefined) return undefined
  const [name = '', at = '', id = '', ...more] = decoded(after).split(' ')
  const isPlace = key.test(at) && /^(0|[1-9]\d{0,14})$/.test(id) && more.length === 0
  if (name === kind && isPlace && encoded(kind, [at, Number(id)]) === after) return [at, Number(id)]
  throw new Failure('request/malformed', { where: 'after', problem: 'is no cursor of this list' })
}

const decoded = (cursor: string) => Buffer.from(cursor, 'base64url').toString()
const encoded = (kind: string, [key, id]: Place) =>
  Buffer.from(`${kind} ${key} ${id}`).toString('base64url')

/** Returns a page of rows, one more of which were read than are told. */
export function pageFrom<Row, Item>(
  rows: readonly Row[],
  shape: pageFrom.Shape<Row, Item>,
): Page<Item> {
  const { limit, kind, placeOf, itemOf } = shape
  const told = rows.slice(0, limit)
  const last = told.at(-1)
  const isEnd = last === undefined || rows.length <= limit
  return { items: told.map(itemOf), next: isEnd ? undefined : encoded(kind, placeOf(last)) }
}

export declare namespace pageFrom {
  type Shape<Row, Item> = {
    readonly limit: number
    readonly kind: string
    readonly placeOf: (row: Row) => Place
    readonly itemOf: (row: Row) => Item
  }
}
