import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closestName, nearestName } from '../../api/nearest-name.ts'
import { shownValue } from '../../api/shown-value.ts'
import { type Call, type Command, type Options, UsageError } from './command.ts'

/** The options of every command. */
export const commonOptions = {
  json: { type: 'boolean', about: 'Print one JSON document, and failures as JSON.' },
  help: { type: 'boolean', short: 'h', about: 'Show this help.' },
} as const satisfies Options

/** Matches an argument in the form of a private key, alone or as the value of an option. */
const privateKeyPattern = /^(?:[^=]*=)?(?:0x)?[0-9a-f]{64}$/i

// Their values have the same form and are public.
const hashOptions = ['--content-hash', '--grant']

/**
 * Parses the arguments of a command with the parser of Node. Its errors are replaced, because they
 * repeat what was typed, which may be a private key.
 *
 * @throws a `UsageError` that says what is missing or wrong, with an example
 */
export function readCall(
  name: string,
  command: Command,
  words: readonly string[],
): Pick<Call, 'words' | 'options'> {
  const { values, positionals } = parseWords(name, command, words)
  const problem = problemOf(command, positionals.length)
  if (problem !== undefined || holdsKey(words)) {
    throw wrongArguments(name, command, { problem: problem ?? takenBy(command), words })
  }
  const names = command.words.slice(0, positionals.length).map((word) => word.name)
  const given = Object.fromEntries(names.map((word, at) => [word, positionals[at] ?? '']))
  requireChoices(name, command, { values, given })
  return { words: given, options: values }
}

/** Returns what is wrong with a number of arguments; `undefined` when nothing is. */
function problemOf({ words }: Command, count: number): string | undefined {
  const missing = words.slice(count).filter(({ optional }) => !optional)
  if (missing.length > 0) {
    return `needs ${joinWords(
      missing.map((word) => word.name),
      'and',
    )}`
  }
  return count > words.length ? takenBy({ words }) : undefined
}

function takenBy({ words }: Pick<Command, 'words'>): string {
  const names = words.map(({ name, optional }) => (optional ? `[${name}]` : name))
  return names.length === 0
    ? 'takes no argument but options'
    : `takes ${joinWords(names, 'and')}, and no other argument but options (a text with spaces needs quotes)`
}

function parseWords(name: string, command: Command, words: readonly string[]) {
  const all: Options = { ...command.options, ...commonOptions }
  const options: ParseArgsOptionsConfig = {}
  for (const [option, { type, short }] of Object.entries(all)) {
    options[option] = short === undefined ? { type } : { type, short }
  }
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true })
    return { positionals, values: values as Call['options'] }
  } catch (error) {
    throw wrongArguments(name, command, { problem: optionProblemOf(error, all, words), words })
  }
}

/** Returns what is wrong with an option. Repeats a name, but never a value. */
function optionProblemOf(error: unknown, options: Options, words: readonly string[]): string {
  const [, option = ''] = /^Option '(?:-\w, )?--([\w-]+)/.exec(Object(error).message) ?? []
  const { type, value = 'a value' } = options[option] ?? {}
  if (type === undefined || Object(error).code === unknownOption)
    return unknownOptionOf(options, words)
  if (type === 'boolean') return `takes no value after --${option}`
  const next = words[words.indexOf(`--${option}`) + 1] ?? ''
  return `needs ${value} after --${option}${/^-[0-9.]/.test(next) ? ' that is not negative' : ''}`
}

const unknownOption = 'ERR_PARSE_ARGS_UNKNOWN_OPTION'

/** Returns which option is unknown, and the one that may be meant. */
function unknownOptionOf(options: Options, words: readonly string[]): string {
  const names = words.flatMap((word) => /^--([a-z][a-z_-]{1,24})(?:=|$)/i.exec(word)?.[1] ?? [])
  const culprit = names.find((name) => !(name in options))
  if (culprit === undefined) return unknownLetterOf(options, words)
  const meant = nearest(culprit, Object.keys(options))
  const advice = meant === undefined ? '' : `, but --${meant}`
  return `has no option --${culprit}${advice}`
}

/** Returns which option of one letter is unknown; a negative number looks like one. */
function unknownLetterOf(options: Options, words: readonly string[]): string {
  const known = Object.values(options).flatMap(({ short }) => short ?? [])
  const letters = words.flatMap((word) => /^-([a-z0-9])/i.exec(word)?.[1] ?? [])
  const culprit = letters.find((letter) => !known.includes(letter))
  return culprit === undefined ? 'has no such option' : `has no option -${culprit}`
}

/** Returns the known name that a typed one looks like, or that is at most two letters away from it. */
const nearest = (typed: string, known: readonly string[]) =>
  nearestName(typed, known) ?? closestName(typed, known, 2)

type Given = {
  readonly values: Call['options']
  readonly given: Call['words']
}

function requireChoices(name: string, command: Command, { values, given }: Given): void {
  const all = [
    ...Object.entries(command.options).map(([it, { choices }]) => ({
      place: `--${it}`,
      choices,
      value: values[it],
    })),
    ...command.words.map((it) => ({ place: it.name, choices: it.choices, value: given[it.name] })),
  ]
  for (const { place, choices, value } of all) {
    if (choices === undefined || value === undefined || choices.includes(`${value}`)) continue
    throw new UsageError(
      `${place} of ${name} must be ${joinWords(choices, 'or')}${shownValue(`${value}`)}.`,
    )
  }
}

type Wrong = { readonly problem: string; readonly words: readonly string[] }

function wrongArguments(
  name: string,
  { examples, options }: Command,
  { problem, words }: Wrong,
): UsageError {
  const [example] = Object.values(examples)
  const parts = [
    `heirloom ${name} ${problem}; heirloom ${name} --help describes it.${keyWarning(words, 'grant' in options)}`,
    ...(example === undefined ? [] : [`Example: ${example}`]),
  ]
  return new UsageError(parts.join(' '))
}

/**
 * The commands that pay, give away, close or destroy, or change a server: their names are typed in
 * full, because a prefix may mean another command in a later version, and these cannot be undone.
 */
const typedInFull: ReadonlySet<string> = new Set([
  ...['buy', 'rent', 'fork', 'royalty', 'list', 'offer', 'unlist', 'transfer', 'erase', 'withdraw'],
  ...[
    'heir',
    'faucet',
    'rate',
    'names',
    'deploy',
    'migrate',
    'keys',
    'tenants',
    'restore',
    'chain',
  ],
  ...['api-key', 'webhook', 'operator', 'blocks', 'grant', 'revoke'],
])

/** Returns the command of which a word is the only beginning; other words as they are. */
export function fullName(typed: string, known: readonly string[]): string {
  if (known.includes(typed) || commandMeantBy(typed) !== undefined) return typed
  const [only, ...others] = beginningWith(typed, known)
  return only === undefined || others.length > 0 || typedInFull.has(only) ? typed : only
}

const beginningWith = (typed: string, known: readonly string[]): readonly string[] =>
  typed === '' ? [] : known.filter((name) => name.startsWith(typed))

/** Returns the error for a command line that names no command. */
export function unknownCommand(words: readonly string[], known: readonly string[]): UsageError {
  const problem = words[0]?.startsWith('-') ? optionFirst : noCommand(words, known)
  return new UsageError(`${problem} heirloom --help lists all commands.${keyWarning(words)}`)
}

const optionFirst = 'The command comes first, and its options after it.'

function noCommand(words: readonly string[], known: readonly string[]): string {
  const [typed = ''] = words.filter((word) => word !== 'help' && !word.startsWith('-'))
  const begun = beginningWith(typed, known)
  const meant = commandMeantBy(typed) ?? (begun.length > 0 ? joinWords(begun, 'or') : undefined)
  const near = meant ?? nearest(typed, known)
  const advice = near === undefined ? '' : ` Did you mean heirloom ${near}?`
  // Other words are not repeated: one may be a private key.
  const isPlain = /^[a-z][a-z-]{1,24}$/.test(typed)
  return `${isPlain ? `There is no command ${typed}.` : 'No such command.'}${advice}`
}

/** Returns advice about a private key on the command line; an empty text when there is none. */
function keyWarning(words: readonly string[], mayBeGrant = false): string {
  if (!holdsKey(words)) return ''
  const found = mayBeGrant
    ? 'Give the id of a grant behind --grant, as in --grant 0x…. If that argument is no such id but a private key:'
    : 'One argument looks like a private key.'
  return ` ${found} Other programs can read it there, and the shell history keeps it: stop using that key. Pass keys in HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE.`
}

function holdsKey(words: readonly string[]): boolean {
  return words.some((word, at) => privateKeyPattern.test(word) && !isHash(word, words[at - 1]))
}

const isHash = (word: string, before: string | undefined) =>
  hashOptions.some((it) => word.startsWith(`${it}=0x`) || (before === it && word.startsWith('0x')))

/** Joins words by commas, the last one by `and` or `or`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** Words that other programs have for a command of this one. */
export const otherWords: Readonly<Record<string, readonly string[]>> = {
  browse: ['search', 'find', 'ls', 'listings', 'market'],
  buy: ['purchase', 'acquire'],
  download: ['get', 'open', 'fetch', 'pull', 'cat'],
  erase: ['delete', 'rm'],
  fork: ['derive', 'license', 'clone'],
  info: ['show', 'provenance', 'status', 'listing'],
  login: ['init', 'setup', 'keystore', 'account'],
  log: ['versions'],
  offer: ['sell', 'publish'],
  remove: ['forget'],
  rent: ['lease', 'borrow'],
  serve: ['start', 'run', 'server', 'up'],
  snapshot: ['mint', 'create', 'push', 'upload', 'add'],
  transfer: ['send', 'give'],
  unlist: ['delist', 'cancel'],
  wallet: ['balance', 'address', 'whoami'],
}

/** Returns the command that a word of another program means; `undefined` when it means none. */
const commandMeantBy = (word: string): string | undefined =>
  Object.keys(otherWords).find((command) => otherWords[command]?.includes(word))
