import { signal } from '@preact/signals'

export type Theme = 'light' | 'dark'

const storageKey = 'heirloom.theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const chosen = signal<Theme | undefined>(read())

/** The theme of the page: the user's choice, otherwise that of the system. */
export const theme = signal<Theme>(chosen.value ?? systemTheme())

function read(): Theme | undefined {
  const text = localStorage.getItem(storageKey)
  return text === 'light' || text === 'dark' ? text : undefined
}

function systemTheme(): Theme {
  return prefersDark.matches ? 'dark' : 'light'
}

function show(): void {
  theme.value = chosen.value ?? systemTheme()
  document.documentElement.dataset.theme = theme.value
}

/** Applies the theme, and follows changes of the system. */
export function applyTheme(): void {
  prefersDark.addEventListener('change', show)
  show()
}

/** Toggles between light and dark, and stores the choice in this browser. */
export function toggleTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem(storageKey, chosen.value)
  show()
}
