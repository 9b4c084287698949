import { signal } from '@preact/signals'
import type { Act } from './act.ts'

/** An act that was sent, and of which the page has not heard since. */
export type Pending = { readonly act: Act; readonly hash: string }

const kept = 'heirloom.pending'

/** What to go on following; it outlives a reload of the page. */
export const pending = signal<Pending | undefined>(read())

/** The act whose window is open. */
export const open = signal<Act | undefined>(pending.value?.act)

function read(): Pending | undefined {
  const text = sessionStorage.getItem(kept)
  return text === null ? undefined : (JSON.parse(text) as Pending)
}

/** Keeps an act that was sent, until it is settled. */
export function keepPending(sent: Pending): void {
  pending.value = sent
  sessionStorage.setItem(kept, JSON.stringify(sent))
}

/** Forgets an act of which there is nothing more to hear; another one is still on its way. */
export function settlePending(hash: string | undefined): void {
  if (pending.value?.hash !== hash) return
  pending.value = undefined
  sessionStorage.removeItem(kept)
}
