import type { Secret, Stretch } from './secret.ts'

const header = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const footer = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** The longest key found, in UTF-16 units. */
const longest = 20_000

/** Matches what cannot be in a key: brackets, or the name of another member. */
const outsideKey = /[{}[\]]|"\s*:/

/** Matches lines of base64 with the separators of a list or an escaped text. */
const body = /(?:(?:\\[nr]|[\s",\\])*(?:[A-Za-z0-9+/=]{16,}))*/y

/** Matches what follows the first line of a key where a sentence only names it. */
const sentence = /^["'`).,;:]{0,3}[ \t]{1,4}[a-z]{1,20}[ \t,.]/i

/** Finds private keys in PEM form. A key in a list of lines has one part for each line. */
export function findPemSecrets(text: string): readonly Secret[] {
  return [...text.matchAll(header)].flatMap(({ 0: found, index }) => {
    const start = index + found.length
    const end = findEnd(text, start)
    if (start === end && sentence.test(text.slice(end, end + 40))) return []
    return [
      {
        kind: 'a private key in PEM form',
        text: text.slice(index, end),
        parts: splitAtQuotes(text, [index, end]),
      },
    ]
  })
}

function findEnd(text: string, start: number): number {
  footer.lastIndex = start
  const found = footer.exec(text.slice(0, start + longest))
  const inside = found === null ? '' : text.slice(start, found.index)
  if (found !== null && !outsideKey.test(inside)) return found.index + found[0].length
  body.lastIndex = start
  return start + (body.exec(text.slice(0, start + longest))?.[0].length ?? 0)
}

/** Splits a stretch at the quotes in it, and drops the separators between two strings. */
function splitAtQuotes(text: string, [start, end]: Stretch): readonly Stretch[] {
  const parts: Stretch[] = []
  let from = start
  for (const { 0: gap, index } of text.slice(start, end).matchAll(/[\s,\\]*["'][\s,"'\\]*/g)) {
    if (start + index > from) parts.push([from, start + index])
    from = start + index + gap.length
  }
  return from < end ? [...parts, [from, end]] : parts
}
