import { Failure, type Page } from '@heirloom/core'

export declare namespace pageOf {
  type Options<Row, Item> = {
    readonly limit: number
    readonly decode: (row: Row) => Item
    /** Returns the cursor of the items after a row. */
    readonly cursorOf: (row: Row) => string
  }
}

/** Returns a page of rows; one row more than the limit means that there is another page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { limit, decode, cursorOf }: pageOf.Options<Row, Item>,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(decode), next: last && cursorOf(last) }
}

/** Returns the failure of a cursor that another list made. */
export const foreignCursor = (): Failure =>
  new Failure('request/malformed', { where: 'after', problem: 'is no cursor of this list' })
