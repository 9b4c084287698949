import { version } from '../../api/version.ts'
import { commit } from '../../build-commit.ts'
import type { Command, Options, Word } from '../arguments/command.ts'
import { commonOptions, fullName, unknownCommand } from '../arguments/read-call.ts'
import {
  commandNames,
  firstCommands,
  groupHeadings,
  loadCommand,
  loadCommands,
} from '../load-command.ts'
import type { Line, Output } from './output.ts'
import { wrapText } from './value-text.ts'

/** Prints `--version`, `--help`, `help COMMAND` or `COMMAND --help`, and returns the exit code. */
export async function printHelp(output: Output, words: readonly string[]): Promise<number> {
  if (words[0] === '--version' || words[0] === '-v') return printVersion(output)
  const typed = words.find((word) => word !== 'help' && !word.startsWith('-'))
  if (typed === undefined) return printCommands(output)
  const name = fullName(typed, commandNames)
  const command = await loadCommand(name)
  if (command === undefined) throw unknownCommand(words, commandNames)
  return print(output, commandJson(name, command), commandLines(name, command, output.width))
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
  const value = { commands: commands.map(([name, it]) => commandJson(name, it)) }
  const rows = commands.map(([name, { about }]) => [name, about] as const)
  const table = columns(rows, output.width)
  const linesOf = (name: string) => table[rows.findIndex(([it]) => it === name)] ?? []
  const groups = groupsOf(rows.map(([name]) => name))
  return print(output, value, [
    'Agent memory you can own, prove, pass on and trade.',
    '',
    [bold('Usage:'), ' heirloom COMMAND [arguments and options]'],
    ...groups.flatMap(({ heading, names }) => ['', [bold(heading)], ...names.flatMap(linesOf)]),
    '',
    ...wrapText(
      'heirloom COMMAND --help describes one command. A name may be cut short, as in heirloom snap, but for commands that pay, give away or destroy.',
      output.width,
    ),
  ])
}

type Group = { readonly heading: string; readonly names: readonly string[] }

/** Returns the commands by subject, after those that most people need. */
export function groupsOf(names: readonly string[]): readonly Group[] {
  const starts = Object.entries(groupHeadings)
  const groups = starts.map(([first, heading], at) => {
    const end = starts[at + 1]?.[0]
    const own = names.slice(
      names.indexOf(first),
      end === undefined ? undefined : names.indexOf(end),
    )
    return { heading, names: own.filter((name) => !firstCommands.some((it) => it === name)) }
  })
  const first = { heading: groupHeadings.serve, names: firstCommands }
  return [first, ...groups.filter((group) => group.names.length > 0)]
}

const commandJson = (name: string, { about, words, options, examples }: Command) => ({
  name,
  about,
  words,
  options: { ...options, ...commonOptions },
  examples: Object.entries(examples).map(([caption, line]) => ({ line, about: caption })),
})

function commandLines(name: string, command: Command, width: number): readonly Line[] {
  const { about, more = [], words, options } = command
  const examples = Object.entries(command.examples)
  const usage = ['heirloom', name, ...words.map(usageOf), '[options]'].join(' ')
  return [
    ...wrapText(about, width),
    ...more.flatMap((text) => ['', ...wrapText(text, width)]),
    '',
    [bold('Usage:'), ` ${usage}`],
    '',
    ...columns(
      words.map((word) => [word.name, word.about]),
      width,
    ).flat(),
    ...(words.length > 0 ? [''] : []),
    ...columns(rowsOf({ ...options, ...commonOptions }), width).flat(),
    '',
    [bold(examples.length === 1 ? 'Example:' : 'Examples:')],
    ...examples.flatMap(([caption, line]) => ['', `  ${caption}`, `  $ ${line}`]),
  ]
}

const bold = (text: string) => ({ style: 'bold', text }) as const

const usageOf = ({ name, optional }: Word) => (optional ? `[${name}]` : name)

const rowsOf = (options: Options): readonly Row[] =>
  Object.entries(options).map(([name, { short, value, choices, about }]) => {
    const long = short === undefined ? `--${name}` : `-${short}, --${name}`
    if (value !== undefined) return [`${long} ${value}`, about]
    if (choices === undefined) return [long, about]
    const joined = choices.join('|')
    if (joined.length <= widestChoices) return [`${long} ${joined}`, about]
    return [`${long} ${name.toUpperCase()}`, `${about} One of ${choices.join(', ')}.`]
  })

type Row = readonly [string, string]

// More choices are listed in the right column, which is wrapped.
const widestChoices = 40

// A longer left column is on a line of its own, and so is every one where the right one is narrow.
const [widestColumn, narrowest] = [24, 20]

/** Returns a table of two columns, the second one wrapped to the width; each row in its lines. */
function columns(rows: readonly Row[], width: number): readonly (readonly Line[])[] {
  const lefts = rows.map(([left]) => left.length).filter((it) => it <= widestColumn)
  const beside = Math.max(...lefts, 0) + 4
  const indent = width - beside < narrowest ? 4 : beside
  return rows.map(([left, right]) => {
    const [first = '', ...rest] = wrapText(right, Math.max(width - indent, narrowest))
    const isWide = left.length > widestColumn || indent < beside
    const head: Line = [
      '  ',
      bold(left),
      isWide ? '' : ' '.repeat(indent - 2 - left.length),
      isWide ? '' : first,
    ]
    const others = isWide ? [first, ...rest] : rest
    return [head, ...others.map((text) => `${' '.repeat(indent)}${text}`)]
  })
}
