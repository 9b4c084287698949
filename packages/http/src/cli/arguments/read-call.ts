import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Call, Command, Options } from './command.ts'
import { UsageError } from './usage-error.ts'

/** What every command takes. */
export const commonOptions = {
  json: { type: 'boolean', about: 'Print one JSON document, and failures as JSON.' },
  help: { type: 'boolean', short: 'h', about: 'Show this help.' },
} as const satisfies Options

/** A word that has the form of a private key, alone or as the value of something. */
const keyLike = /^(?:[^=]*=)?(?:0x)?[0-9a-f]{64}$/i

// The one thing of that form that is no secret.
const hashOption = '--content-hash'

/**
 * Reads the words of a command line for a command.
 *
 * @throws a `UsageError` that says what the command takes
 */
export function readCall(
  name: string,
  command: Command,
  words: readonly string[],
): Pick<Call, 'words' | 'options'> {
  const { values, positionals } = parsed(name, command, words)
  const [most, least] = [command.words.length, command.words.filter(isNeeded).length]
  if (positionals.length > most || positionals.length < least || holdsKey(words)) {
    throw takes(name, command, words)
  }
  const named = command.words.slice(0, positionals.length).map((word) => word.name)
  const given = Object.fromEntries(named.map((word, at) => [word, positionals[at] ?? '']))
  refuseOtherChoices(name, command, { values, given })
  return { words: given, options: values }
}

const isNeeded = ({ optional }: Command['words'][number]) => !optional

function parsed(name: string, command: Command, words: readonly string[]) {
  const all: Options = { ...command.options, ...commonOptions }
  const options: ParseArgsOptionsConfig = {}
  for (const [option, { type, short }] of Object.entries(all)) {
    options[option] = short === undefined ? { type } : { type, short }
  }
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true })
    return { positionals, values: values as Call['options'] }
  } catch {
    throw takes(name, command, words)
  }
}

type Given = {
  readonly values: Call['options']
  readonly given: Call['words']
}

function refuseOtherChoices(name: string, command: Command, { values, given }: Given): void {
  const all = [
    ...Object.entries(command.options).map(([it, { choices }]) => ({
      ...{ place: `--${it}`, choices, value: values[it] },
    })),
    ...command.words.map((it) => ({ place: it.name, choices: it.choices, value: given[it.name] })),
  ]
  for (const { place, choices, value } of all) {
    if (choices === undefined || value === undefined || choices.includes(`${value}`)) continue
    throw new UsageError(`${place} of ${name} must be ${listed(choices, 'or')}.`)
  }
}

function takes(name: string, { words, options }: Command, given: readonly string[]): UsageError {
  const flags = listed(
    Object.keys(options).map((option) => `--${option}`),
    'and',
  )
  const named = words.map((word) => (isNeeded(word) ? word.name : `[${word.name}]`)).join(' ')
  const own = [named, flags || 'no options'].filter((part) => part !== '').join(', ')
  const sentence = `The command ${name} takes ${own}, and nothing else but --json and --help.`
  return new UsageError(`${sentence}${keyWarning(given)}`)
}

/** Returns what to say of a command line that names no command. */
export function unknown(words: readonly string[]): UsageError {
  // A wrong word is not repeated: it may be a key that went astray.
  return new UsageError(`There is no such command; heirloom --help lists them.${keyWarning(words)}`)
}

// What to do about a private key among the words of a command line; nothing without one.
function keyWarning(words: readonly string[]): string {
  return holdsKey(words)
    ? ' A word looks like a private key: other programs can read it there, and a shell remembers it. Give keys as HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE, and use this one no more.'
    : ''
}

function holdsKey(words: readonly string[]): boolean {
  return words.some((word, at) => keyLike.test(word) && !isHash(word, words[at - 1]))
}

const isHash = (word: string, before: string | undefined) =>
  word.startsWith(`${hashOption}=0x`) || (before === hashOption && word.startsWith('0x'))

/** Returns words with commas between them and a word before the last. */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
