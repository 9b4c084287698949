import type { Match } from './finding.ts'

const intermediate = '[0-?]{0,32}[ -/]{0,4}[@-~]'

/** Control sequences of terminals (ECMA-48), and strings of an operating system command. */
const sequences = new RegExp(
  `\\u001b(?:\\[${intermediate}|\\][^\\u0007\\u001b]{0,400}(?:\\u0007|\\u001b\\\\)?|[PX^_][^\\u001b]{0,400}|[ -Z\`-~])?|\\u009b(?:${intermediate})?`,
  'g',
)
const styles = /^\p{Cc}\[?([\d;:]*)m$/u

/** Finds escapes of terminals. */
export const findTerminalEscapes = (text: string): readonly Match[] =>
  [...text.matchAll(sequences)].map(({ 0: found, index }) => ({
    kind: isColour(found) ? 'hidden/control' : 'hidden/escape',
    start: index,
    end: index + found.length,
  }))

/** Returns whether an escape only sets a colour or a style, and does not conceal what follows. */
function isColour(found: string): boolean {
  const [, parameters] = styles.exec(found) ?? []
  if (parameters === undefined) return false
  const plain = parameters.replaceAll(/[34]8[;:](?:5[;:]\d+|2(?:[;:]\d+){3})/g, '')
  return !plain.split(/[;:]/).some((it) => Number(it) === 8)
}
