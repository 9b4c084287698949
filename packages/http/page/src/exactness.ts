import { signal } from '@preact/signals'

const storageKey = 'heirloom.exact'

/** Whether amounts and times are shown exactly; the choice stays in this browser. */
export const isExact = signal(localStorage.getItem(storageKey) !== null)

/** Shows amounts and times exactly, or short again. */
export function toggleExact(): void {
  isExact.value = !isExact.value
  if (isExact.value) localStorage.setItem(storageKey, 'true')
  else localStorage.removeItem(storageKey)
}
