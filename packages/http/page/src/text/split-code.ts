/** A part of a text, and whether it is code. */
export type TextPart = { readonly text: string; readonly isCode: boolean }

/** Splits a text at its backticks; a backtick without another one stays in the text. */
export const splitCode = (text: string): readonly TextPart[] =>
  text
    .split(/`([^`]+)`/)
    .map((part, at) => ({ text: part, isCode: at % 2 === 1 }))
    .filter((part) => part.text !== '')
