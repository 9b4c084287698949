import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Suggestion } from '../formats/suggest-card.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { forgetDraft, readDraft, storeFields, storeSource } from './draft-store.ts'
import type { Source } from './source.ts'

/** The pause in typing before a draft is stored, in milliseconds. */
const debounce = 400

/** The draft of a new memory, which survives when its visitor leaves. */
export type DraftState = {
  readonly source: Source | undefined
  readonly draft: Draft
  readonly setSource: (source: Source) => void
  readonly setDraft: (draft: Draft) => void
  /** The time of the draft that was found in this browser, in milliseconds; until it is changed. */
  readonly restoredAt: number | undefined
  /** Whether this browser stores no drafts. */
  readonly isNotStored: boolean
  /** Forgets the draft, and then empties the form. */
  readonly startOver: () => Promise<void>
}

/** Keeps the draft of a new memory in this browser, until it is sealed or discarded. */
export function useDraft(): DraftState {
  const [{ source, draft }, setForm] = useState<Form>({ source: undefined, draft: emptyDraft })
  const setDraft = (changed: Draft) => setForm((form) => ({ ...form, draft: changed }))
  const [restoredAt, setRestoredAt] = useState<number>()
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
