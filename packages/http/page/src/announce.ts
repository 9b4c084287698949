import { signal } from '@preact/signals'

/** What a screen reader is told now, without moving anywhere. */
export const announcement = signal('')

/** Tells a screen reader something, even when it is what it was told last. */
export function announce(text: string): void {
  announcement.value = announcement.value === text ? `${text}\u{a0}` : text
}
