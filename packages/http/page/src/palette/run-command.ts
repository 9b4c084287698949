import { toggleExact } from '../exactness.ts'
import { navigate } from '../route.ts'
import { toggleTheme } from '../theme.ts'
import type { Command, Setting } from './find-commands.ts'
import { openPanel } from './shortcuts.ts'

const changeSetting: Readonly<Record<Setting, () => void>> = {
  theme: toggleTheme,
  exactness: toggleExact,
  shortcuts: () => {
    openPanel.value = 'shortcuts'
  },
}

/** Runs a command. */
export function runCommand(command: Command): void {
  if ('setting' in command) changeSetting[command.setting]()
  else {
    navigate(command.path)
    if (command.heading !== undefined) focusHeading(command.heading)
  }
}

/** The longest wait for a heading that is loaded, in milliseconds. */
const longestWait = 5000

/** Focuses a heading of the view once it is there, unless the visitor acts first. */
function focusHeading(text: string): void {
  const stop = new AbortController()
  const { signal } = stop
  const look = () => {
    const headings = [...document.querySelectorAll<HTMLElement>('main h2')]
    const heading = headings.find(({ textContent }) => textContent === text)
    if (heading === undefined) return
    heading.tabIndex = -1
    heading.focus()
    stop.abort()
  }
  const observer = new MutationObserver(look)
  signal.addEventListener('abort', () => observer.disconnect())
  observer.observe(document.body, { subtree: true, childList: true })
  // The capture phase of the key that chose the command is over.
  for (const kind of ['keydown', 'pointerdown', 'wheel']) {
    addEventListener(kind, () => stop.abort(), { signal, passive: true, capture: true })
  }
  setTimeout(() => stop.abort(), longestWait)
  look()
}
