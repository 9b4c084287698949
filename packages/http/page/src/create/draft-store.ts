import type { Draft } from './draft.ts'
import type { Source } from './source.ts'

/** A draft that this browser has stored. */
export type StoredDraft = {
  readonly source: Source
  readonly draft: Draft
  readonly savedAt: number
}

const [databaseName, storeName] = ['heirloom', 'drafts']

/** The place of what was typed: unlike a database, it is written before a page is gone. */
const fieldsKey = 'heirloom.draft'

/** Opens the database of this browser; rejects where it has none, as in some private windows. */
function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('The database is in use.'))
  })
}

async function change(run: (store: IDBObjectStore) => void): Promise<void> {
  const database = await openDatabase()
  const transaction = database.transaction(storeName, 'readwrite')
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    run(transaction.objectStore(storeName))
  }).finally(() => database.close())
}

async function read(key: string): Promise<unknown> {
  const database = await openDatabase()
  return new Promise<unknown>((resolve, reject) => {
    const request = database.transaction(storeName).objectStore(storeName).get(key)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  }).finally(() => database.close())
}

/** Stores the files of a draft. */
export const storeSource = (source: Source): Promise<void> =>
  change((store) => store.put(source, 'source'))

/**
 * Stores what was typed of a draft.
 *
 * @throws {DOMException} where this browser stores nothing
 */
export function storeFields(draft: Draft): void {
  localStorage.setItem(fieldsKey, JSON.stringify({ draft, savedAt: Date.now() }))
}

/** Removes the draft from this browser. */
export async function forgetDraft(): Promise<void> {
  try {
    localStorage.removeItem(fieldsKey)
    await change((store) => store.clear())
  } catch {
    // A browser that stores nothing has nothing to remove.
  }
}

/** Returns the stored draft, or `undefined`. A draft of an older version of this page is left out. */
export async function readDraft(): Promise<StoredDraft | undefined> {
  const [source, fields] = [await read('source'), localStorage.getItem(fieldsKey)]
  if (!isSource(source) || fields === null) return undefined
  return { source, ...(JSON.parse(fields) as Omit<StoredDraft, 'source'>) }
}

const isSource = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && 'data' in value && 'size' in value
