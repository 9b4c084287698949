import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type Props = {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Moves the focus to the main button or the title of the open dialog: at its end, or where what had it is gone. */
export function restoreFocus(isAtEnd: boolean): void {
  const dialog = document.querySelector('dialog[open]')
  if (dialog === null || (!isAtEnd && dialog.contains(document.activeElement))) return
  const next = dialog.querySelector('.main:not([disabled])') ?? dialog.querySelector('h2')
  if (next instanceof HTMLElement) next.focus()
}

/** Shows a modal dialog, which keeps the focus until it is closed. */
export function Dialog({ title, onClose, children }: Props): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={ref} aria-labelledby={heading} onClose={onClose}>
      <div class="heading">
        <h2 id={heading} tabIndex={-1} autofocus>
          {title}
        </h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  )
}
