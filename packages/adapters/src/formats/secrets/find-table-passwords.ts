import { isReal, password } from './pattern.ts'
import type { Secret } from './secret.ts'
import { passwordWord } from './sentence-patterns.ts'

const title = new RegExp(`^\\s*[*_]{0,2}(?:${passwordWord})[*_]{0,2}\\s*$`, 'iu')
const ruler = /^[\s|:-]+$/

/** Finds the passwords in tables of Markdown: what stands in a column of that name. */
export function findTablePasswords(text: string): readonly Secret[] {
  if (!text.includes('|')) return []
  const found: Secret[] = []
  let column = -1
  let start = 0
  for (const line of text.split('\n')) {
    if (!line.includes('|')) column = -1
    else if (column === -1) column = line.split('|').findIndex((cell) => title.test(cell))
    else if (!ruler.test(line)) found.push(...cellAt(line, column, start))
    start += line.length + 1
  }
  return found
}

function cellAt(line: string, column: number, start: number): readonly Secret[] {
  const cells = line.split('|')
  const cell = cells[column] ?? ''
  const text = /^[\s`"]*([^\s`"]*)[\s`"]*$/.exec(cell)?.[1] ?? ''
  if (text.length < 4 || !isReal(text)) return []
  const at =
    start + cells.slice(0, column).join('|').length + Math.min(column, 1) + cell.indexOf(text)
  return [{ kind: password, text, parts: [[at, at + text.length]] }]
}
