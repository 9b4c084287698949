import { signal } from '@preact/signals'

/** The token whose memory its visitor wants to open as soon as its page shows it. */
export const openRequest = signal<string | undefined>(undefined)
