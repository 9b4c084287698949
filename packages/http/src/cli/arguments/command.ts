import type { Output } from '../terminal/output.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** A positional argument of a command. */
export type Word = {
  readonly name: string
  readonly about: string
  readonly optional?: true
  /** Marks the name of a file or a folder, which a shell can complete. */
  readonly file?: true
  /** The allowed values, when they are few. */
  readonly choices?: readonly string[]
}

/** An option of a command, which may stand anywhere on the command line. */
export type Option = {
  readonly type: 'boolean' | 'string'
  /** The placeholder for its value in the help. */
  readonly value?: string
  readonly about: string
  readonly short?: string
  /** The allowed values, when they are few. */
  readonly choices?: readonly string[]
  readonly file?: true
}

export type Options = Readonly<Record<string, Option>>

/** Returns an option with a value, whose placeholder the help shows. */
export const withValue = (value: string, about: string) =>
  ({ type: 'string', value, about }) as const

/** Options by their names, those without a value and those with one, for what does not define them. */
export type NamedOptions<Flag extends string, Text extends string = never> = {
  readonly [name in Flag]: { readonly type: 'boolean'; readonly about: string }
} & { readonly [name in Text]: { readonly type: 'string'; readonly about: string } }

/** The values of the options on a command line. */
type OptionValues<Of extends Options> = {
  readonly [Name in keyof Of]?: ValueOf<Of[Name]['type']> | undefined
}

type ValueOf<Type> = Type extends 'boolean' ? boolean : string

/** One run of a command: its arguments, and the terminal that it runs on. */
export type Call<Named extends string = string, Of extends Options = Options> = {
  readonly words: Readonly<Record<Named, string>>
  readonly options: OptionValues<Of>
  readonly terminal: Terminal
  readonly output: Output
  readonly signal: AbortSignal
  /** Loads all commands. */
  readonly commands: () => Promise<NamedCommands>
}

/** Commands with their names. */
export type NamedCommands = readonly (readonly [string, Command])[]

/** A verb of the command line. */
export type Command = {
  /** One sentence that says what the command does. */
  readonly about: string
  /** Paragraphs that say what to know before using it. */
  readonly more?: readonly string[]
  readonly words: readonly Word[]
  readonly options: Options
  /** The command lines that the help shows, by their captions. */
  readonly examples: Readonly<Record<string, string>>
  /** Marks a command that uses no server; it exits with 0 or 1, as services do. */
  readonly isLocal?: true
  /** Marks a command that handles SIGINT and SIGTERM itself. */
  readonly ownSignals?: true
  /** Runs the command and returns its exit code, 0 when it returns none. */
  readonly run: (call: Call) => ExitCode
}

type ExitCode = Promise<number | undefined> | Promise<void>

type Definition<Words extends readonly Word[], Of extends Options> = Omit<
  Command,
  'words' | 'options' | 'run'
> & {
  readonly words: Words
  readonly options: Of
  readonly run: (call: Call<Words[number]['name'], Of>) => ExitCode
}

/** Returns a command whose `run` has the types of the arguments and options that it declares. */
export function command<const Words extends readonly Word[], const Of extends Options>(
  definition: Definition<Words, Of>,
): Command {
  return definition as unknown as Command
}

/**
 * Reports that a command line is not usable. Its message repeats an argument that was not understood
 * only when it is too short for a private key in the wrong place.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'command/usage'
  readonly facts = {}
}
