import { signal } from '@preact/signals'
import { mainViews } from '../../src/api/main-views.ts'
import { commandKeys, togglePanel } from './palette/shortcuts.ts'
import { route } from './route.ts'
import { WalletMenu } from './wallet/wallet-menu.tsx'

/** The header of the page: navigation, theme and wallet. */
export function Masthead(): JSX.Element {
  const here = route.value.view
  return (
    <header class="masthead">
      <a class="brand" href="/" aria-label="Heirloom, home">
        <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <circle cx="16" cy="16" r="14.5" />
          <circle cx="16" cy="16" r="11.5" />
          <path d="M11.5 9.5v13M20.5 9.5v13M11.5 16h9" />
        </svg>
        <span>Heirloom</span>
      </a>
      <nav aria-label="Main">
        <ul>
          {mainViews.map(([path, name, view]) => (
            <li key={path}>
              <a href={path} {...(view === here && { 'aria-current': 'page' as const })}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="tools">
        <CommandsButton />
        <ThemeToggle />
        <WalletMenu />
      </div>
    </header>
  )
}

function CommandsButton(): JSX.Element {
  return (
    <button
      type="button"
      class="quiet"
      aria-haspopup="dialog"
      aria-keyshortcuts={commandKeys.aria}
      onClick={() => togglePanel('commands')}
    >
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <circle cx="10.5" cy="10.5" r="6" />
        <path d="M15 15l5.5 5.5" />
      </svg>
      <span>Commands</span> <kbd>{commandKeys.shown}</kbd>
    </button>
  )
}

function ThemeToggle(): JSX.Element {
  const isDark = theme.value === 'dark'
  return (
    <button
      type="button"
      class="quiet"
      aria-label={isDark ? 'Light appearance' : 'Dark appearance'}
      onClick={toggleTheme}
    >
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <circle cx="12" cy="12" r="8" />
        <path class="filled" d="M12 4a8 8 0 0 1 0 16z" />
      </svg>
    </button>
  )
}

type Theme = 'light' | 'dark'

const storageKey = 'heirloom.theme'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

const systemTheme = (): Theme => (prefersDark.matches ? 'dark' : 'light')

const chosen = signal<Theme | undefined>(read())

/** The theme of the page: the user's choice, otherwise that of the system. */
export const theme = signal<Theme>(chosen.value ?? systemTheme())

function read(): Theme | undefined {
  const text = localStorage.getItem(storageKey)
  return text === 'light' || text === 'dark' ? text : undefined
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
