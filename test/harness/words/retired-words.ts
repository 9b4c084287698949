/** Maps each retired word, as separate lower-case words, to the plain word to use. */
const plainWords: Readonly<Record<string, string>> = {
  'tell|tells|telling|told': 'return, report or send',
  'asked|asking': 'request',
  kept: 'stored, cached or retained',
  wanted: 'claimed, requested or needed',
  spelled: 'encoded or formatted',
  whoever: 'the role: caller, owner, reader',
  'let go|letting go|lets go': 'release',
  crew: 'workers or job queue',
  'bell|bells|alarm|alarms|ringing': 'signal',
  adding: 'enqueue',
  'follower|followed': 'indexer, or the state of the transaction',
  'happened|happening|happenings': 'event',
  'opened lately': 'decrypted cache',
  'remembering|remembered': 'memoized or cached',
  'until it works': 'memoize or retry',
  'as nobody': 'without default account',
  'sign anew|signs anew': 'skip signer recovery',
  bulk: 'worker',
  together: 'batch',
  'income|incomes': 'earnings',
  book: 'catalogue',
}

const patterns = Object.entries(plainWords).map(
  ([words, plain]) => [new RegExp(`\\b(${words})\\b`), plain] as const,
)

const cache = new Map<string, string | undefined>()

/** Returns the plain words to use instead of a name; undefined when the name has no retired word. */
export function plainWordFor(name: string): string | undefined {
  if (!cache.has(name)) cache.set(name, findPlainWord(name))
  return cache.get(name)
}

function findPlainWord(name: string): string | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase()
  return patterns.find(([pattern]) => pattern.test(words))?.[1]
}

/** Returns false when no identifier of a source, declared or not, has a retired word. */
export function hasRetiredWord(text: string): boolean {
  return (text.match(/[A-Za-z_$][\w$]*/g) ?? []).some((name) => plainWordFor(name) !== undefined)
}
