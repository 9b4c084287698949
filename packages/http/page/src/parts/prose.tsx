import type { JSX } from 'preact'

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

/** A part of a text, and whether it is code. */
type TextPart = { readonly text: string; readonly isCode: boolean }

/** Splits a text at its backticks; a backtick without another one stays in the text. */
export const splitCode = (text: string): readonly TextPart[] =>
  text
    .split(/`([^`]+)`/)
    .map((part, at) => ({ text: part, isCode: at % 2 === 1 }))
    .filter((part) => part.text !== '')
