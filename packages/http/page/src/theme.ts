import { signal } from '@preact/signals'

export type Theme = 'light' | 'dark'

const kept = 'heirloom.theme'
const wanted = matchMedia('(prefers-color-scheme: dark)')
const chosen = signal<Theme | undefined>(read())

/** What the page looks like: as chosen here, or else as the system has it. */
export const theme = signal<Theme>(chosen.value ?? systemTheme())

function read(): Theme | undefined {
  const text = localStorage.getItem(kept)
  return text === 'light' || text === 'dark' ? text : undefined
}

function systemTheme(): Theme {
  return wanted.matches ? 'dark' : 'light'
}

function show(): void {
  theme.value = chosen.value ?? systemTheme()
  document.documentElement.dataset.theme = theme.value
}

/** Takes the theme from the system, or from an earlier choice. */
export function followTheme(): void {
  wanted.addEventListener('change', show)
  show()
}

/** Changes from light to dark or back, for this browser from now on. */
export function toggleTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem(kept, chosen.value)
  show()
}
