import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Call, Command, Options } from './command.ts'
import { UsageError } from './usage-error.ts'

/** The options of every command. */
export const commonOptions = {
  json: { type: 'boolean', about: 'Print one JSON document, and failures as JSON.' },
  help: { type: 'boolean', short: 'h', about: 'Show this help.' },
} as const satisfies Options

/** Matches an argument in the form of a private key, alone or as the value of an option. */
const privateKeyPattern = /^(?:[^=]*=)?(?:0x)?[0-9a-f]{64}$/i

// Its value has the same form and is public.
const hashOption = '--content-hash'

/**
 * Parses the arguments of a command.
 *
 * @throws a `UsageError` that lists what the command takes
 */
export function readCall(
  name: string,
  command: Command,
  words: readonly string[],
): Pick<Call, 'words' | 'options'> {
  const { values, positionals } = parseWords(name, command, words)
  const [most, least] = [command.words.length, command.words.filter(isRequired).length]
  if (positionals.length > most || positionals.length < least || holdsKey(words)) {
    throw wrongArguments(name, command, words)
  }
  const names = command.words.slice(0, positionals.length).map((word) => word.name)
  const given = Object.fromEntries(names.map((word, at) => [word, positionals[at] ?? '']))
  requireChoices(name, command, { values, given })
  return { words: given, options: values }
}

const isRequired = ({ optional }: Command['words'][number]) => !optional

function parseWords(name: string, command: Command, words: readonly string[]) {
  const all: Options = { ...command.options, ...commonOptions }
  const options: ParseArgsOptionsConfig = {}
  for (const [option, { type, short }] of Object.entries(all)) {
    options[option] = short === undefined ? { type } : { type, short }
  }
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true })
    return { positionals, values: values as Call['options'] }
  } catch {
    throw wrongArguments(name, command, words)
  }
}

type Given = {
  readonly values: Call['options']
  readonly given: Call['words']
}

function requireChoices(name: string, command: Command, { values, given }: Given): void {
  const all = [
    ...Object.entries(command.options).map(([it, { choices }]) => ({
      ...{ place: `--${it}`, choices, value: values[it] },
    })),
    ...command.words.map((it) => ({ place: it.name, choices: it.choices, value: given[it.name] })),
  ]
  for (const { place, choices, value } of all) {
    if (choices === undefined || value === undefined || choices.includes(`${value}`)) continue
    throw new UsageError(`${place} of ${name} must be ${joinWords(choices, 'or')}.`)
  }
}

function wrongArguments(
  name: string,
  { words, options }: Command,
  given: readonly string[],
): UsageError {
  const flags = joinWords(
    Object.keys(options).map((option) => `--${option}`),
    'and',
  )
  const names = words.map((word) => (isRequired(word) ? word.name : `[${word.name}]`)).join(' ')
  const own = [names, flags || 'no options'].filter((part) => part !== '').join(', ')
  const sentence = `heirloom ${name} takes ${own} besides --json and --help.`
  return new UsageError(`${sentence}${keyWarning(given)}`)
}

/** Returns the error for a command line that names no command. */
export function unknownCommand(words: readonly string[]): UsageError {
  // The wrong word is not repeated: it may be a private key.
  return new UsageError(`No such command. heirloom --help lists them all.${keyWarning(words)}`)
}

/** Returns advice about a private key on the command line; an empty text when there is none. */
function keyWarning(words: readonly string[]): string {
  return holdsKey(words)
    ? ' One argument looks like a private key. Other programs can read it there, and the shell history keeps it: stop using that key. Pass keys in HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE.'
    : ''
}

function holdsKey(words: readonly string[]): boolean {
  return words.some((word, at) => privateKeyPattern.test(word) && !isHash(word, words[at - 1]))
}

const isHash = (word: string, before: string | undefined) =>
  word.startsWith(`${hashOption}=0x`) || (before === hashOption && word.startsWith('0x'))

/** Joins words by commas, the last one by `and` or `or`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
