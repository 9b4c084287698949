/** Something in a text that looks as if nobody else should have it. */
export type Finding = {
  readonly kind: string
  /** Counted from 1. */
  readonly line: number
  /** Its beginning, the rest masked. */
  readonly excerpt: string
}

const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['a private key in PEM form', /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----/g],
  ['a JSON Web Token', /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g],
  ['a key of an AI provider', /\bsk-(?:proj-|ant-|or-)?[\w-]{20,}/g],
  ['a GitHub token', /\b(?:gh[pousr]_\w{30,}|github_pat_\w{30,})/g],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['a Google API key', /\bAIza[\w-]{35}/g],
  ['a Slack token', /\bxox[abeprs]-[\w-]{10,}/g],
  ['a Stripe key', /\b[rs]k_(?:live|test)_\w{16,}/g],
  ['an npm token', /\bnpm_\w{36}\b/g],
  ['a Hugging Face token', /\bhf_\w{30,}/g],
  ['a Telegram bot token', /\b\d{8,10}:[\w-]{35}\b/g],
  ['credentials in an address', /\b[a-z][a-z+]+:\/\/[^\s/:@"]+:[^\s/@"]{3,}@/gi],
  [
    'a private key (64 hexadecimal digits)',
    /(?:priv|secret|seed|wallet|signer)[\w .-]{0,24}\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?((?:0x)?[0-9a-f]{64})\b/gi,
  ],
  [
    'a password or key',
    /(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?token|auth[_-]?token|private[_-]?key)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']([^"'\\\s]{6,})/gi,
  ],
]

/** How many findings are told; a text with more is no less alarming. */
const told = 20

/** Returns what in a text looks like a secret; `words` are those that recovery phrases are made of. */
export function findSecrets(text: string, words: ReadonlySet<string>): readonly Finding[] {
  const found = patterns.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].slice(0, told).map((it) => {
      // What names a secret may stand before it.
      const match = it[1] ?? it[0]
      return { kind, at: it.index + it[0].length - match.length, match }
    }),
  )
  const all = [...found, ...phrasesIn(text, words)].toSorted((one, other) => one.at - other.at)
  // One secret can be seen as two kinds; the first that covers it names it.
  const distinct = all.filter(({ at }, nth) => {
    const before = all.slice(0, nth)
    return !before.some((it) => at < it.at + it.match.length)
  })
  return distinct.slice(0, told).map(({ kind, at, match }) => ({
    kind,
    line: lineOf(text, at),
    excerpt: masked(match),
  }))
}

type Match = { readonly kind: string; readonly at: number; readonly match: string }

/** The least number of words of a recovery phrase (BIP-39), each of 3 to 8 letters. */
const shortestPhrase = 12

/** Short words, one after the other, with what a list or a JSON text puts between them. */
const manyWords =
  /(?:\b|(?<=\\[nrt]))[a-z]{3,8}(?:(?:\\[nrt]|[\s",'[\]\\.):\d-])+[a-z]{3,8}){11,}/gi

function phrasesIn(text: string, words: ReadonlySet<string>): readonly Match[] {
  return [...text.matchAll(manyWords)].slice(0, told * told).flatMap(({ 0: part, index }) => {
    // An escaped line break ends in a letter that belongs to no word.
    const found = [...part.replaceAll(/\\[nrt]/g, '  ').matchAll(/[a-z]+/gi)]
    return runsOf(found, ({ 0: word }) => words.has(word.toLowerCase())).map((run) => {
      const [first, last] = [run[0]?.index ?? 0, run.at(-1)]
      const match = part.slice(first, (last?.index ?? 0) + (last?.[0].length ?? 0))
      return { kind: `a recovery phrase of ${run.length} words`, at: index + first, match }
    })
  })
}

/** Returns the longest stretches of what belongs, those that are long enough. */
function runsOf<T>(all: readonly T[], belongs: (it: T) => boolean): readonly (readonly T[])[] {
  const runs: T[][] = [[]]
  for (const it of all) {
    if (belongs(it)) runs.at(-1)?.push(it)
    else runs.push([])
  }
  return runs.filter(({ length }) => length >= shortestPhrase)
}

function lineOf(text: string, at: number): number {
  let line = 1
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1))
    line += 1
  return line
}

function masked(match: string): string {
  const shown = match.slice(0, Math.min(6, Math.floor(match.length / 3)))
  return `${shown.replaceAll(/\s/g, ' ')}…`
}
