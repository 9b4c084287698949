import { effect, signal } from '@preact/signals'
import type { Hex } from 'viem'
import type { Act } from './act.ts'
import type { SignedAct } from './sign-order.ts'

/**
 * A message that was sent: a transaction of the wallet, or what it signed for the relay of the server, which
 * names the hash of its transaction later.
 */
export type SentAct = {
  /** The account that acts. */
  readonly by: Hex
  readonly hash?: Hex
  readonly signed?: SignedAct
  /** The hash of the order that the wallet pays. */
  readonly order?: Hex
  readonly batch?: SentBatch
}

/** Calls that a wallet makes together, by its name for them (EIP-5792). */
export type SentBatch = {
  readonly id: string
  /** The last second in which they can be carried out, since 1970. */
  readonly deadline: number
  /** The height of the chain when they were sent. */
  readonly since: string
}

/** An act that was sent and has no known outcome. */
export type PendingAct = { readonly act: Act; readonly sent: SentAct }

const storageKey = 'heirloom.pending'

/** The act to follow; it survives a reload of the page. */
export const pendingAct = signal<PendingAct | undefined>(read())

/** The act whose dialog is open. */
export const openAct = signal<Act | undefined>(pendingAct.value?.act)

/** Returns a function that opens the dialog of an act. */
export const openDialog = (act: Act | undefined) => (): void => {
  if (act !== undefined) openAct.value = act
}

/** The act that is followed though its dialog was closed, until its result was shown. */
export const closedAct = signal<PendingAct | undefined>(undefined)

effect(() => {
  const pending = pendingAct.value
  const open = openAct.value
  if (pending !== undefined && pending.act !== open) closedAct.value = pending
  if (open !== undefined && closedAct.peek()?.act === open) closedAct.value = undefined
})

/** The act that the open one replaced when its terms changed, with the open one. */
export const replacedAct = signal<{ readonly before: Act; readonly after: Act } | undefined>(
  undefined,
)

/** Opens the dialog of an act at other terms, which says so. */
export function replaceAct(before: Act, after: Act): void {
  replacedAct.value = { before, after }
  openAct.value = after
}

function read(): PendingAct | undefined {
  const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Partial<PendingAct>
  const { act, sent } = stored
  // An earlier version of this page stored another form.
  return act === undefined || sent?.by === undefined ? undefined : { act, sent }
}

/** Stores an act that was sent, until its outcome is known. */
export function storePendingAct(pending: PendingAct): void {
  pendingAct.value = pending
  sessionStorage.setItem(storageKey, JSON.stringify(pending))
}

/** Clears an act whose outcome is known; a newer one stays. */
export function clearPendingAct(act: Act): void {
  if (pendingAct.value?.act !== act) return
  pendingAct.value = undefined
  sessionStorage.removeItem(storageKey)
}

/** Whether the visitor wants to see how the memory that is shown next is used. */
export const useRequest = signal(false)

/** The token whose memory its visitor wants to open as soon as its page shows it. */
export const openRequest = signal<string | undefined>(undefined)
