import type { JSX } from 'preact'
import { announce } from '../announce.ts'

type Props = {
  readonly text: string
  readonly shown: string
  /** What it is: `address`, `content hash`. */
  readonly what: string
}

/** A long word told in short; a press copies all of it. */
export function Copyable({ text, shown, what }: Props): JSX.Element {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(`Copied the ${what}.`)
  }
  return (
    <button type="button" class="copyable" title={`${text} — press to copy`} onClick={copy}>
      <span aria-hidden="true">{shown}</span>
      <span class="unseen">
        {what} {text}, copy
      </span>
    </button>
  )
}
