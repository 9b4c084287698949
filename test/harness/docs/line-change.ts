import { readFileSync, writeFileSync } from 'node:fs'

/** A change of the lines of a file, which a guide shows as a diff. */
export type LineChange = {
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** The lines that are added and those that are removed. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Parses a diff of one place of a file. */
export function lineChangeOf(diff: string): LineChange {
  const lines = diff.trimEnd().split('\n')
  const of = (...signs: readonly string[]) =>
    lines.filter((it) => signs.includes(it[0] ?? ' ')).map((it) => it.slice(1))
  return { before: of(' ', '-'), after: of(' ', '+'), added: of('+'), removed: of('-') }
}

/** Changes the lines of a file, which must have those before once. */
export function changeText(text: string, { before, after }: LineChange): string {
  const [start, rest, ...more] = text.split(before.join('\n'))
  if (start === undefined || rest === undefined || more.length > 0) {
    throw new Error(`The diff of a guide changes lines that its file does not have:\n${text}`)
  }
  return `${start}${after.join('\n')}${rest}`
}

/** Changes the lines of a file on disk. */
export const changeFile = (path: string, change: LineChange): void =>
  writeFileSync(path, changeText(readFileSync(path, 'utf8'), change))
