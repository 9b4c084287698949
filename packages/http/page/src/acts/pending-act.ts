import { signal } from '@preact/signals'
import type { Act } from './act.ts'

/** An act that was sent and has no known outcome. */
export type PendingAct = { readonly act: Act; readonly hash: string }

const storageKey = 'heirloom.pending'

/** The act to follow; it survives a reload of the page. */
export const pendingAct = signal<PendingAct | undefined>(read())

/** The act whose dialog is open. */
export const openAct = signal<Act | undefined>(pendingAct.value?.act)

function read(): PendingAct | undefined {
  const text = sessionStorage.getItem(storageKey)
  return text === null ? undefined : (JSON.parse(text) as PendingAct)
}

/** Stores an act that was sent, until its outcome is known. */
export function storePendingAct(sent: PendingAct): void {
  pendingAct.value = sent
  sessionStorage.setItem(storageKey, JSON.stringify(sent))
}

/** Clears the act of a transaction; a newer one stays. */
export function clearPendingAct(hash: string | undefined): void {
  if (pendingAct.value?.hash !== hash) return
  pendingAct.value = undefined
  sessionStorage.removeItem(storageKey)
}
