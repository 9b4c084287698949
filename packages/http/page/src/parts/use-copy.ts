import { useEffect, useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { copyText } from './copy-text.ts'

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
