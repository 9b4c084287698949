import { Failure, type Page, type PageInput } from '@heirloom/core'
import { foreignCursor, pageOf } from '../../platform/sql/list-page.ts'

/** The end of a page: the sort key of its last item, and the id that breaks ties. */
export type PageEnd = readonly [key: string, id: number]

/**
 * Decodes the cursor of a list; `undefined` for the first page.
 *
 * @throws `request/malformed` for a cursor of another list
 */
export function decodeCursor(
  { after }: Pick<PageInput, 'after'>,
  { kind, key }: CursorFormat,
): PageEnd | undefined {
  if (after === undefined) return undefined
  const [name = '', at = '', id = '', ...more] = fromBase64(after).split(' ')
  const isValid = key.test(at) && /^(0|[1-9]\d{0,14})$/.test(id) && more.length === 0
  if (name === kind && isValid && encodeCursor(kind, [at, Number(id)]) === after) {
    return [at, Number(id)]
  }
  throw foreignCursor()
}

/** The name of a list and the pattern of its sort keys, which tell its cursors from others. */
export type CursorFormat = { readonly kind: string; readonly key: RegExp }

const fromBase64 = (cursor: string) => Buffer.from(cursor, 'base64url').toString()
/** Encodes the cursor of a position in a list. */
export const encodeCursor = (kind: string, [key, id]: PageEnd) =>
  Buffer.from(`${kind} ${key} ${id}`).toString('base64url')

/** Returns a page of rows; one row more than the limit means that there is another page. */
export const buildPage = <Row, Item>(
  rows: readonly Row[],
  { kind, endOf, ...options }: buildPage.Options<Row, Item>,
): Page<Item> => pageOf(rows, { ...options, cursorOf: (row) => encodeCursor(kind, endOf(row)) })

export declare namespace buildPage {
  type Options<Row, Item> = {
    readonly limit: number
    readonly kind: string
    readonly endOf: (row: Row) => PageEnd
    readonly decode: (row: Row) => Item
  }
}

/** Requires a limit of 1 to 100. @throws `request/malformed` */
export function requireLimit({ limit }: Pick<PageInput, 'limit'>): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return
  throw new Failure('request/malformed', { where: 'limit', problem: 'is 1 to 100' })
}
