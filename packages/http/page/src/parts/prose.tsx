import type { JSX } from 'preact'
import { splitCode } from '../text/split-code.ts'

/** Shows a text, with what is in backticks as code. */
export function Prose({ of }: { readonly of: string }): JSX.Element {
  return (
    <>
      {splitCode(of).map(({ text, isCode }, at) =>
        isCode ? <code key={at}>{text}</code> : <span key={at}>{text}</span>,
      )}
    </>
  )
}
