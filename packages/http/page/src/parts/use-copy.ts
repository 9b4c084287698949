import { useEffect, useState } from 'preact/hooks'
import { announce } from '../announce.ts'

/** The time for which it is shown that a text was copied, in milliseconds. */
const shownFor = 2000

/** The state of a button that copies. */
export type Copying = {
  /** Whether a text was copied just now; undefined before and after. */
  readonly isCopied: boolean | undefined
  readonly copy: (text: string) => Promise<void>
}

/** Copies texts of a kind, and says so for a moment. */
export function useCopy(what: string): Copying {
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
