import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Suggestion } from '../formats/suggest-card.ts'
import { type Draft, emptyDraft, type Source } from './draft.ts'

/** The pause in typing before a draft is stored, in milliseconds. */
const debounce = 400

/** The draft of a new memory, which survives when its visitor leaves. */
export type DraftState = Readonly<ReturnType<typeof useDraft>>

/** Keeps the draft of a new memory in this browser, until it is sealed or discarded. */
export function useDraft() {
  const [{ source, draft }, setForm] = useState<Form>({ source: undefined, draft: emptyDraft })
  const setDraft = (changed: Draft) => setForm((form) => ({ ...form, draft: changed }))
  /** The time of the draft that was found in this browser, in milliseconds; until it is changed. */
  const [restoredAt, setRestoredAt] = useState<number>()
  /** Whether this browser stores no drafts. */
  const [isNotStored, setNotStored] = useState(false)
  const failed = () => setNotStored(true)
  useEffect(() => {
    readDraft().then((found) => {
      if (found === undefined) return
      setForm({ source: found.source, draft: { ...emptyDraft, ...found.draft } })
      setRestoredAt(found.savedAt)
    }, failed)
  }, [])
  useStoring(source, draft, failed)
  const setSource = (chosen: Source) => {
    setRestoredAt(undefined)
    // Reading a file takes time, in which the draft may have changed.
    setForm((form) => chooseSource(form, chosen))
    storeSource(chosen).catch(failed)
  }
  // What the form shows is what a reload shows: it is empty only once the draft is gone.
  const startOver = async () => {
    await forgetDraft()
    setForm({ source: undefined, draft: emptyDraft })
    setRestoredAt(undefined)
  }
  return { source, draft, setSource, setDraft, restoredAt, isNotStored, startOver }
}

/** Stores what was typed after each pause, and when the page is left. */
function useStoring(source: Source | undefined, draft: Draft, failed: () => void): void {
  const unsaved = useRef<Draft | undefined>(undefined)
  const save = () => {
    const { current } = unsaved
    unsaved.current = undefined
    if (current === undefined) return
    try {
      storeFields(current)
    } catch {
      failed()
    }
  }
  // What was typed is noted at once: the page may be left before it is painted.
  useLayoutEffect(() => {
    if (source === undefined) {
      unsaved.current = undefined
      return
    }
    unsaved.current = draft
    const due = setTimeout(save, debounce)
    return () => clearTimeout(due)
  }, [source, draft])
  useEffect(() => {
    // A phone may end a hidden page without another event.
    const saveHidden = () => document.visibilityState === 'hidden' && save()
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', saveHidden)
    return () => {
      removeEventListener('pagehide', save)
      document.removeEventListener('visibilitychange', saveHidden)
      save()
    }
  }, [])
}

/** The chosen files of a new memory, and its draft. */
export type Form = { readonly source: Source | undefined; readonly draft: Draft }

/** Filled when the files are chosen. */
const labels = ['category', 'agentId', 'version'] as const

/** Public, so they are filled only on request. */
const texts = ['title', 'description', 'tags'] as const

/**
 * Puts other files into a form: their labels replace those that the earlier files suggested, and
 * suggested texts of the description are cleared. What was typed stays.
 */
export function chooseSource({ source, draft }: Form, chosen: Source): Form {
  const isTyped = (name: keyof Suggestion) =>
    draft[name] !== '' && draft[name] !== source?.suggested[name]
  const changes = [
    ...labels.map((name) => [name, chosen.suggested[name]] as const),
    ...texts.map((name) => [name, ''] as const),
  ].filter(([name]) => !isTyped(name))
  return { source: chosen, draft: { ...draft, ...Object.fromEntries(changes) } }
}

/** A draft that this browser has stored. */
type StoredDraft = { readonly source: Source; readonly draft: Draft; readonly savedAt: number }

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

/** Carries out one request of the store, and returns its result once it lasts. */
async function request<T>(run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase()
  const transaction = database.transaction(storeName, 'readwrite')
  return new Promise<T>((resolve, reject) => {
    const made = run(transaction.objectStore(storeName))
    transaction.oncomplete = () => resolve(made.result)
    transaction.onabort = () => reject(transaction.error)
  }).finally(() => database.close())
}

/** Stores the files of a draft. */
const storeSource = (source: Source): Promise<unknown> =>
  request((store) => store.put(source, 'source'))

/**
 * Stores what was typed of a draft.
 *
 * @throws {DOMException} where this browser stores nothing
 */
function storeFields(draft: Draft): void {
  localStorage.setItem(fieldsKey, JSON.stringify({ draft, savedAt: Date.now() }))
}

/** Removes the draft from this browser. */
export async function forgetDraft(): Promise<void> {
  try {
    localStorage.removeItem(fieldsKey)
    await request((store) => store.clear())
  } catch {
    // A browser that stores nothing has nothing to remove.
  }
}

/** Returns the stored draft, or `undefined`. A draft of an older version of this page is left out. */
async function readDraft(): Promise<StoredDraft | undefined> {
  const source: unknown = await request((store) => store.get('source'))
  const fields = localStorage.getItem(fieldsKey)
  if (!isSource(source) || fields === null) return undefined
  return { source, ...(JSON.parse(fields) as Omit<StoredDraft, 'source'>) }
}

const isSource = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && 'data' in value && 'size' in value
