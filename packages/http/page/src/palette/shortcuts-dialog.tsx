import type { JSX } from 'preact'
import { Dialog } from '../parts/dialog.tsx'
import { commandKeys, hasSingleKeys, openPanel, toggleSingleKeys } from './shortcuts.ts'

const close = () => {
  openPanel.value = undefined
}

/** Shows the shortcuts of the page, and whether those of a single key act. */
export function ShortcutsDialog(): JSX.Element {
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <dl class="facts">
        <dt>
          <kbd>{commandKeys.shown}</kbd>
        </dt>
        <dd>Commands: go to a view, a memory or an account, or search</dd>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>Keyboard shortcuts</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close a dialog</dd>
      </dl>
      <label class="check">
        <input type="checkbox" checked={hasSingleKeys.value} onChange={toggleSingleKeys} />
        <span>
          Shortcuts of a single key: <kbd>/</kbd> and <kbd>?</kbd>
        </span>
      </label>
    </Dialog>
  )
}
