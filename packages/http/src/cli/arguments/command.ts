import type { Output } from '../terminal/output.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** A word that a command takes, in its place. */
export type Word = {
  readonly name: string
  readonly about: string
  readonly optional?: true
  /** Whether it names a file or a folder, so that a shell can complete it. */
  readonly file?: true
  /** What it may be, where there is little choice. */
  readonly choices?: readonly string[]
}

/** An option that a command takes, anywhere. */
export type Option = {
  readonly type: 'boolean' | 'string'
  /** What stands for its value in the help. */
  readonly value?: string
  readonly about: string
  readonly short?: string
  /** What it may be, where there is little choice. */
  readonly choices?: readonly string[]
  readonly file?: true
}

export type Options = Readonly<Record<string, Option>>

/** What options were given as. */
type Values<Of extends Options> = {
  readonly [Name in keyof Of]?: ValueOf<Of[Name]['type']> | undefined
}

type ValueOf<Type> = Type extends 'boolean' ? boolean : string

/** A command as it was called. */
export type Call<Named extends string = string, Of extends Options = Options> = {
  readonly words: Readonly<Record<Named, string>>
  readonly options: Values<Of>
  readonly terminal: Terminal
  readonly output: Output
  readonly signal: AbortSignal
  /** Loads every command. */
  readonly commands: () => Promise<NamedCommands>
}

/** Commands by their names. */
export type NamedCommands = readonly (readonly [string, Command])[]

/** A line that the help shows, and what it does. */
type Example = { readonly line: string; readonly about: string }

/** A verb of the command line. */
export type Command = {
  /** What it does, in one sentence. */
  readonly about: string
  /** What else should be known before it is used. */
  readonly more?: readonly string[]
  readonly words: readonly Word[]
  readonly options: Options
  readonly examples: readonly Example[]
  /** Whether it runs here rather than on a server: then it ends with 0 or 1, as services do. */
  readonly isLocal?: true
  /** Whether it listens for signals itself. */
  readonly ownSignals?: true
  /** Does it, and returns the exit code. */
  readonly run: (call: Call) => Promise<number>
}

type Definition<Words extends readonly Word[], Of extends Options> = Omit<
  Command,
  'words' | 'options' | 'run'
> & {
  readonly words: Words
  readonly options: Of
  readonly run: (call: Call<Words[number]['name'], Of>) => Promise<number>
}

/** Returns a command, which is called with exactly the words and options that it takes. */
export function command<const Words extends readonly Word[], const Of extends Options>(
  definition: Definition<Words, Of>,
): Command {
  return definition as unknown as Command
}
