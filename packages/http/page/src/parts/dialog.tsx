import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type Props = {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Moves the focus to the main button of the open dialog. */
export function focusMain(): void {
  const main = document.querySelector('dialog[open] .main')
  if (main instanceof HTMLElement) main.focus()
}

/** Shows a modal dialog, which keeps the focus until it or its page is closed. */
export function Dialog({ title, onClose, children }: Props): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => ref.current?.showModal(), [])
  useEffect(() => {
    // Back leaves the page that the dialog is about.
    addEventListener('popstate', onClose)
    return () => removeEventListener('popstate', onClose)
  }, [onClose])
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
