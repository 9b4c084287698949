import type { Secret, Stretch } from './secret.ts'

const header = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const footer = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** The longest key that is looked for, in UTF-16 units. */
const longest = 20_000

/** What no key holds: the end of a list or an object, or the name of another member. */
const elsewhere = /[{}[\]]|"\s*:/

/** Lines of base 64, with what a list or an escaped text puts between them. */
const body = /(?:(?:\\[nr]|[\s",\\])*(?:[A-Za-z0-9+/=]{16,}))*/y

/** Returns the private keys in PEM form, whole; a line each where they stand in a list of lines. */
export function pemSecrets(text: string): readonly Secret[] {
  return [...text.matchAll(header)].map(({ 0: found, index }) => {
    const end = endOf(text, index + found.length)
    return {
      kind: 'a private key in PEM form',
      text: text.slice(index, end),
      parts: betweenQuotes(text, [index, end]),
    }
  })
}

function endOf(text: string, start: number): number {
  footer.lastIndex = start
  const found = footer.exec(text.slice(0, start + longest))
  const inside = found === null ? '' : text.slice(start, found.index)
  if (found !== null && !elsewhere.test(inside)) return found.index + found[0].length
  body.lastIndex = start
  return start + (body.exec(text.slice(0, start + longest))?.[0].length ?? 0)
}

/** Returns a stretch without the quotes in it, and without what stands between two of them. */
export function betweenQuotes(text: string, [start, end]: Stretch): readonly Stretch[] {
  const parts: Stretch[] = []
  let from = start
  for (const { 0: gap, index } of text.slice(start, end).matchAll(/[\s,\\]*["'][\s,"'\\]*/g)) {
    if (start + index > from) parts.push([from, start + index])
    from = start + index + gap.length
  }
  return from < end ? [...parts, [from, end]] : parts
}
