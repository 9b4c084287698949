import { version } from '../../api/version.ts'
import { commit } from '../../build-commit.ts'
import type { Command, Option, Options, Word } from '../arguments/command.ts'
import { commonOptions, unknownCommand } from '../arguments/read-call.ts'
import { commandNames, loadCommand, loadCommands } from '../load-command.ts'
import type { Line, Output } from './output.ts'

/** Prints `--version`, `--help`, `help COMMAND` or `COMMAND --help`, and returns the exit code. */
export async function printHelp(output: Output, words: readonly string[]): Promise<number> {
  if (words[0] === '--version') return printVersion(output)
  const name = words.find((word) => word !== 'help' && !word.startsWith('-'))
  if (name === undefined) return printCommands(output)
  const command = await loadCommand(name)
  if (command === undefined) throw unknownCommand(words, commandNames)
  return print(output, commandJson(name, command), commandLines(name, command))
}

async function printVersion(output: Output): Promise<number> {
  const line = commit === undefined ? version() : `${version()} (${commit})`
  return print(output, { version: version(), commit: commit ?? null }, [line])
}

async function print(output: Output, value: unknown, lines: readonly Line[]): Promise<number> {
  await output.result({ value, lines })
  return 0
}

async function printCommands(output: Output): Promise<number> {
  const commands = await loadCommands()
  const rows = commands.map(([name, { about }]) => [name, about] as const)
  return print(output, { commands: commands.map(([name, it]) => commandJson(name, it)) }, [
    'Agent memory you can own, prove, pass on and trade.',
    '',
    [{ style: 'bold', text: 'Usage:' }, ' heirloom COMMAND [arguments and options]'],
    '',
    ...columns(rows),
    '',
    'heirloom serve starts a server. heirloom COMMAND --help describes one command.',
  ])
}

const commandJson = (name: string, { about, words, options, examples }: Command) => ({
  ...{ name, about, words, options: { ...options, ...commonOptions }, examples },
})

function commandLines(name: string, command: Command): readonly Line[] {
  const { about, more = [], words, options, examples } = command
  const usage = ['heirloom', name, ...words.map(usageOf), '[options]'].join(' ')
  return [
    about,
    ...more.flatMap((line) => ['', line]),
    '',
    [{ style: 'bold', text: 'Usage:' }, ` ${usage}`],
    '',
    ...columns(words.map((word) => [word.name, word.about])),
    ...(words.length > 0 ? [''] : []),
    ...columns(rowsOf({ ...options, ...commonOptions })),
    '',
    [{ style: 'bold', text: examples.length === 1 ? 'Example:' : 'Examples:' }],
    ...examples.flatMap(({ line, about: caption }) => ['', `  ${caption}`, `  $ ${line}`]),
  ]
}

const usageOf = ({ name, optional }: Word) => (optional ? `[${name}]` : name)

const rowsOf = (options: Options): readonly Row[] =>
  Object.entries(options).map(([name, option]) => [optionForm(name, option), option.about])

function optionForm(name: string, { short, value, choices }: Option): string {
  const long = short === undefined ? `--${name}` : `-${short}, --${name}`
  const placeholder = value ?? choices?.join('|')
  return placeholder === undefined ? long : `${long} ${placeholder}`
}

type Row = readonly [string, string]

function columns(rows: readonly Row[]): readonly Line[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => [
    '  ',
    { style: 'bold', text: left },
    `${' '.repeat(width - left.length)}  ${right}`,
  ])
}
