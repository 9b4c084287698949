import { version } from '../../api/version.ts'
import type { Command, Option, Options, Word } from '../arguments/command.ts'
import { loadCommand, loadCommands } from '../load-command.ts'
import type { Line, Output } from './output.ts'
import { commonOptions, unknown } from '../arguments/read-call.ts'

/** Answers `--version`, `--help`, `help COMMAND` and `COMMAND --help`. */
export async function help(output: Output, words: readonly string[]): Promise<number> {
  if (words[0] === '--version') return told(output, { version: version() }, [version()])
  const name = words.find((word) => word !== 'help' && !word.startsWith('-'))
  if (name === undefined) return helpOfAll(output)
  const command = await loadCommand(name)
  if (command === undefined) throw unknown(words)
  return told(output, described(name, command), helpOf(name, command))
}

async function told(output: Output, value: unknown, lines: readonly Line[]): Promise<number> {
  await output.answer({ value, lines })
  return 0
}

async function helpOfAll(output: Output): Promise<number> {
  const commands = await loadCommands()
  const rows = commands.map(([name, { about }]) => [name, about] as const)
  return told(output, { commands: commands.map(([name, it]) => described(name, it)) }, [
    'Agent memory you can own, prove, pass on and trade.',
    '',
    [{ style: 'bold', text: 'Usage:' }, ' heirloom COMMAND [words and options]'],
    '',
    ...columns(rows),
    '',
    'heirloom COMMAND --help tells more of one; without a command, a server is started.',
  ])
}

const described = (name: string, { about, words, options, examples }: Command) => ({
  ...{ name, about, words, options: { ...options, ...commonOptions }, examples },
})

/** Returns the help of a command. */
function helpOf(name: string, command: Command): readonly Line[] {
  const { about, more = [], words, options, examples } = command
  const usage = ['heirloom', name, ...words.map(placeOf), '[options]'].join(' ')
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
    ...examples.flatMap(({ line, about: what }) => ['', `  ${what}`, `  $ ${line}`]),
  ]
}

const placeOf = ({ name, optional }: Word) => (optional ? `[${name}]` : name)

const rowsOf = (options: Options): readonly Row[] =>
  Object.entries(options).map(([name, option]) => [spelling(name, option), option.about])

function spelling(name: string, { short, value, choices }: Option): string {
  const long = short === undefined ? `--${name}` : `-${short}, --${name}`
  const form = value ?? choices?.join('|')
  return form === undefined ? long : `${long} ${form}`
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
