import type { NamedCommands, Option } from '../arguments/command.ts'
import { commonOptions } from '../arguments/read-call.ts'

/** Returns a fish script that completes commands, options and the values of options. */
export function fishCompletion(commands: NamedCommands): string {
  return `${['complete -c heirloom -f', ...commands.flatMap(linesOf)].join('\n')}\n`
}

function linesOf([name, { about, words, options }]: NamedCommands[number]): readonly string[] {
  const prefix = `complete -c heirloom -n '__fish_seen_subcommand_from ${name}'`
  const all: readonly (readonly [string, Option])[] = Object.entries({
    ...options,
    ...commonOptions,
  })
  const choices = words.flatMap((word) => word.choices ?? [])
  return [
    `complete -c heirloom -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...(words.some((word) => word.file) ? [`${prefix} -F`] : []),
    ...(choices.length > 0 ? [`${prefix} -a ${quoted(choices.join(' '))}`] : []),
    ...all.map(([option, it]) => `${prefix} -l ${option}${valuesOf(it)} -d ${quoted(it.about)}`),
  ]
}

function valuesOf({ type, short, choices, file }: Option): string {
  const letter = short === undefined ? '' : ` -s ${short}`
  if (type === 'boolean') return letter
  if (choices !== undefined) return `${letter} -x -a ${quoted(choices.join(' '))}`
  return `${letter} ${file ? '-r -F' : '-x'}`
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
