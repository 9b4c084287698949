import type { ComponentChildren, JSX } from 'preact'
import { announce } from '../announce.ts'

type Props = {
  readonly text: string
  /** The short form on the screen. */
  readonly shown: ComponentChildren
  /** The kind of text: `address`, `content hash`. */
  readonly what: string
}

/** Shows a long text in short form; a click copies it. */
export function Copyable({ text, shown, what }: Props): JSX.Element {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(`Copied the ${what}.`)
  }
  return (
    <button type="button" class="copyable" title={`${text} — click to copy`} onClick={copy}>
      <span aria-hidden="true">{shown}</span>
      <span class="unseen">
        {what} {text}, copy
      </span>
    </button>
  )
}
