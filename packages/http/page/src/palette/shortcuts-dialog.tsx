import type { JSX } from 'preact'
import { Dialog } from '../parts/dialog.tsx'
import { Check } from '../parts/form-fields.tsx'
import { Fact } from '../parts/section.tsx'
import { commandKeys, hasSingleKeys, openPanel, toggleSingleKeys } from './shortcuts.ts'

const close = () => {
  openPanel.value = undefined
}

const shortcuts = [
  [commandKeys.shown, 'Commands: go to a view, a memory or an account, or search'],
  ['/', 'Search'],
  ['?', 'Keyboard shortcuts'],
  ['Esc', 'Close a dialog'],
] as const

/** Shows the shortcuts of the page, and whether those of a single key act. */
export function ShortcutsDialog(): JSX.Element {
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <dl class="facts">
        {shortcuts.map(([key, meaning]) => (
          <Fact key={key} name={<kbd>{key}</kbd>} value={meaning} />
        ))}
      </dl>
      <Check isChecked={hasSingleKeys.value} setChecked={toggleSingleKeys}>
        Shortcuts of a single key: <kbd>/</kbd> and <kbd>?</kbd>
      </Check>
    </Dialog>
  )
}
