import type { Kysely } from 'kysely'
import { type FileSteps, readTextIfPresent, replaceKeyFile } from './key-file.ts'
import type { DocumentRow, KeyTables } from './key-tables.ts'

/** A document that is stored and replaced as a whole; each one has the epoch of the one before, plus 1. */
export type StoredDocument<Document> = {
  /** The location of the document, for operators; it contains no password. */
  readonly place: string
  /** Returns the document; `undefined` when there never was one. */
  readonly read: () => Promise<Document | undefined>
  /**
   * Replaces the document whose epoch is lower by 1, atomically: a crash leaves either of the two.
   * Returns false, and changes nothing, when the stored document has another epoch.
   */
  readonly commit: (next: Document) => Promise<boolean>
}

/** The text of a document. */
export type DocumentFormat<Document> = {
  readonly encode: (document: Document) => string
  readonly parse: (text: string, place: string) => Document
}

type WithEpoch = { readonly epoch: number }

/** Opens a document in a file that no other process writes to. */
export function documentInFile<Document extends WithEpoch>(
  place: string,
  { encode, parse }: DocumentFormat<Document>,
  steps: FileSteps,
): StoredDocument<Document> {
  const read = () => {
    const text = readTextIfPresent(place)
    return text === undefined ? undefined : parse(text, place)
  }
  return {
    place,
    read: async () => read(),
    commit: async (next) => {
      if ((read()?.epoch ?? 0) !== next.epoch - 1) return false
      replaceKeyFile(place, encode(next), steps)
      return true
    },
  }
}

type DocumentTable = 'sealing_keys' | 'tenants'

/** Opens a document in a table, which several servers may share. */
export function documentInTable<Document extends WithEpoch>(
  db: Kysely<KeyTables>,
  table: DocumentTable,
  { encode, parse }: DocumentFormat<Document>,
): StoredDocument<Document> {
  const place = `the table ${table}`
  return {
    place,
    read: async () => {
      const row = await db.selectFrom(table).select('document').executeTakeFirst()
      return row && parse(row.document, place)
    },
    commit: async (next) => {
      const row = { id: 1 as const, epoch: next.epoch, document: encode(next) }
      return row.epoch === 1 ? insertFirst(db, table, row) : update(db, table, row)
    },
  }
}

async function insertFirst(
  db: Kysely<KeyTables>,
  table: DocumentTable,
  row: DocumentRow,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto(table)
    .values(row)
    .onConflict((it) => it.column('id').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) === 1
}

async function update(
  db: Kysely<KeyTables>,
  table: DocumentTable,
  { epoch, document }: DocumentRow,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ epoch, document })
    .where('id', '=', 1)
    .where('epoch', '=', epoch - 1)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}
