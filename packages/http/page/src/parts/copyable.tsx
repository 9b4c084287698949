import type { ComponentChildren, JSX } from 'preact'
import { useCopy } from './use-copy.ts'

type Props = {
  readonly text: string
  /** The short form on the screen. */
  readonly shown: ComponentChildren
  /** The kind of text: `address`, `content hash`. */
  readonly what: string
}

/** Shows a long text in short form; a click copies it. */
export function Copyable({ text, shown, what }: Props): JSX.Element {
  const { isCopied, copy } = useCopy(what)
  return (
    <button
      type="button"
      class="copyable"
      title={`${text} — click to copy`}
      {...(isCopied !== undefined && { 'data-copied': isCopied ? '✓' : '✗' })}
      onClick={() => copy(text)}
    >
      <span aria-hidden="true">{shown}</span>
      <span class="unseen">
        {what} {text}, copy
      </span>
    </button>
  )
}
