import { signal } from '@preact/signals'

/** A dialog that a shortcut opens. */
export type Panel = 'commands' | 'shortcuts'

/** The dialog of commands or of shortcuts that is open. */
export const openPanel = signal<Panel | undefined>(undefined)

const storageKey = 'heirloom.single-keys'

/** Whether shortcuts of a single key act; the choice stays in this browser. */
export const hasSingleKeys = signal(localStorage.getItem(storageKey) !== 'off')

/** Turns the shortcuts of a single key off, or on again. */
export function toggleSingleKeys(): void {
  hasSingleKeys.value = !hasSingleKeys.value
  if (hasSingleKeys.value) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
}

/** Whether this is a computer of Apple, where Control and K cut a line. */
const isApple = /^(Mac|iP)/.test(navigator.platform)

/** The keys that open the commands: as shown, and as ARIA writes them. */
export const commandKeys = isApple
  ? ({ shown: '⌘ K', aria: 'Meta+K' } as const)
  : ({ shown: 'Ctrl K', aria: 'Control+K' } as const)

/** Opens a dialog, or closes the one that is open. */
export function togglePanel(panel: Panel): void {
  openPanel.value = openPanel.value === undefined ? panel : undefined
}

/** Listens for the shortcuts of the page. */
export function listenForShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.repeat || event.isComposing) return
    // Another dialog is open.
    if (openPanel.value === undefined && document.querySelector('dialog[open]') !== null) return
    if (act(event)) event.preventDefault()
  })
}

/** Carries out the shortcut that an event is, and returns whether it is one. */
function act(event: KeyboardEvent): boolean {
  if (isForCommands(event)) togglePanel('commands')
  else if (!isSingleKey(event) || openPanel.value !== undefined) return false
  else if (event.key === '?') openPanel.value = 'shortcuts'
  else if (event.key === '/') focusSearch()
  else return false
  return true
}

function isForCommands({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isHeld = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === 'k'
}

/** Returns whether an event is a key alone, which no field takes as a letter. */
function isSingleKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (!hasSingleKeys.value || ctrlKey || metaKey || altKey) return false
  return !(target instanceof Element && target.closest(takesLetters) !== null)
}

/** Matches what takes letters: fields, and widgets that find their rows by their first letters. */
const takesLetters =
  'input, textarea, select, [contenteditable], [role="textbox"], [role="combobox"], [role="tree"], [role="application"]'

/** Focuses the search of the view; where it has none, the field of the commands searches. */
function focusSearch(): void {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type="search"]')
  const field = [...fields].find((it) => it.checkVisibility())
  if (field === undefined) openPanel.value = 'commands'
  field?.focus()
  field?.select()
}
