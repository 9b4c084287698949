import type { JSX } from 'preact'
import { useCopy } from './use-copy.ts'

type Props = {
  /** The name of the button. */
  readonly name: string
  /** The kind of text: `path`, `citation`. */
  readonly what: string
  readonly read: () => string | Promise<string>
}

/** Shows a button that copies a text, and says for a moment whether it did. */
export function CopyButton({ name, what, read }: Props): JSX.Element {
  const { isCopied, copy } = useCopy(what)
  const shown = isCopied === undefined ? name : isCopied ? 'Copied' : 'Not allowed to copy'
  return (
    <button type="button" onClick={async () => copy(await read())}>
      {shown}
    </button>
  )
}
