import {
  Failure,
  type NameRecord,
  type NamesPage,
  type OwnedName,
  type PageInput,
  type SavedVersion,
} from '@heirloom/core'
import { foreignCursor, pageOf } from '../../platform/sql/list-page.ts'
import { type Db, type NamesPlace, nameRecords, savedVersion } from './name-rows.ts'
import type { NameRow } from './name-tables.ts'

type Listed = NamesPlace & {
  readonly owner: string
  readonly page: PageInput
  /** Decides a hold if it can be. */
  readonly settle: (hold: string) => Promise<void>
}

/** Returns a page of the names of an owner. */
export async function listNames(listed: Listed): Promise<NamesPage<NameRecord>> {
  for (const { hold } of await readNames(listed)) if (hold !== null) await listed.settle(hold)
  const { limit } = listed.page
  const rows = await readNames(listed)
  const items = await nameRecords(listed.db, rows.slice(0, limit))
  // Not the last item: names that are held and have no version yet may fill a page.
  return { items, next: rows.length > limit ? rows[limit - 1]?.name : undefined }
}

/** Reads the rows of a page and one more, with those that a save holds and that have no version. */
function readNames({ db, registry, owner, page }: Listed): Promise<readonly NameRow[]> {
  const { after, limit } = page
  const rows = db
    .selectFrom('memoryName')
    .selectAll()
    .where('registry', '=', registry)
    .where('owner', '=', owner)
    .where((it) => it.or([it('version', '>', 0), it('hold', 'is not', null)]))
  const rest = after === undefined ? rows : rows.where('name', '>', after)
  return rest
    .orderBy('name')
    .limit(limit + 1)
    .execute()
}

type Versions = {
  readonly of: OwnedName
  readonly page: PageInput
  readonly row: NameRow | undefined
}

/** Reads the number of a version, which is the cursor of this list. */
function versionOf(after: string): number {
  if (/^[1-9]\d{0,14}$/.test(after)) return Number(after)
  throw foreignCursor()
}

/**
 * Returns a page of the versions of a name, the newest first.
 *
 * @throws `name/not-found`, and `request/malformed` for a cursor of another list
 */
export async function listVersions(
  db: Db,
  { of: { name }, page: { after, limit }, row }: Versions,
): Promise<NamesPage<SavedVersion>> {
  if (row === undefined || Number(row.version) === 0) throw new Failure('name/not-found', { name })
  const rows = await db
    .selectFrom('nameVersion')
    .selectAll()
    .where('name', '=', row.id)
    .where('version', '<', after === undefined ? Number(row.version) + 1 : versionOf(after))
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, { limit, decode: savedVersion, cursorOf: ({ version }) => `${version}` })
}
