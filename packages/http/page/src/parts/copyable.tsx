import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { shortenHash } from '../text/account.ts'
import { announce } from './announce.ts'
import { Button } from './section.tsx'

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

type HashProps = { readonly of: string; readonly what?: string }

/** Shows a hash in short form; a click copies it. */
export const CopyableHash = ({ of, what = 'hash' }: HashProps): JSX.Element => (
  <Copyable text={of} shown={shortenHash(of)} what={what} />
)

type CopyButtonProps = {
  /** The name of the button. */
  readonly name: string
  /** The kind of text: `path`, `citation`. */
  readonly what: string
  readonly read: () => string | Promise<string>
}

/** Shows a button that copies a text, and says for a moment whether it did. */
export function CopyButton({ name, what, read }: CopyButtonProps): JSX.Element {
  const { isCopied, copy } = useCopy(what)
  const shown = isCopied === undefined ? name : isCopied ? 'Copied' : 'Not allowed to copy'
  return <Button name={shown} onClick={async () => copy(await read())} />
}

/** The time for which it is shown that a text was copied, in milliseconds. */
const shownFor = 2000

/** Copies texts of a kind, and says so for a moment. */
function useCopy(what: string) {
  /** Whether a text was copied just now; undefined before and after. */
  const [isCopied, setIsCopied] = useState<boolean>()
  useEffect(() => {
    if (isCopied === undefined) return
    const timer = setTimeout(() => setIsCopied(undefined), shownFor)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (text: string) => {
    const isDone = await copyText(text)
    announce(isDone ? `Copied the ${what}.` : `This browser does not allow to copy the ${what}.`)
    setIsCopied(isDone)
  }
  return { isCopied, copy }
}

/** Copies a text, and returns whether the browser allowed it. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Browsers have this clipboard only for pages over HTTPS and on this machine.
    return copySelection(text)
  }
}

/** Copies a text by selecting it in a field, as browsers allow to every page after a press. */
function copySelection(text: string): boolean {
  const { activeElement } = document
  const field = document.createElement('textarea')
  field.className = 'unseen'
  field.value = text
  // What is outside of an open dialog cannot be selected.
  const place = activeElement?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  field.remove()
  return isCopied
}
