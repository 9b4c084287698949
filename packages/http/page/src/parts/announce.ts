import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** The text that a screen reader reads now. */
export const announcement = signal('')

/** Announces a text to screen readers, even if it equals the last one. */
export function announce(text: string): void {
  announcement.value = announcement.value === text ? `${text}\u{a0}` : text
}

/** Sets the title of the document. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === '' ? 'Heirloom' : `${name} · Heirloom`
  }, [name])
}
