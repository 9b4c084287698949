import { command, type NamedCommands, type Option } from '../arguments/command.ts'
import { commonOptions } from '../arguments/read-call.ts'
import { writeTo } from '../terminal/output.ts'
import { bashCompletion } from './bash-completion.ts'
import { zshCompletion } from './zsh-completion.ts'

/** Returns a fish script that completes commands, options and the values of options. */
function fishCompletion(commands: NamedCommands): string {
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

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }
const shellNames = Object.keys(shells)

/** Prints a shell completion script. */
export const completion = command({
  about: 'Prints a completion script for a shell.',
  more: [
    'To enable it in every shell: in ~/.bashrc, `source <(heirloom completion bash)`; in ~/.zshrc after `autoload -Uz compinit && compinit`, `source <(heirloom completion zsh)`; for fish, `heirloom completion fish > ~/.config/fish/completions/heirloom.fish`.',
  ],
  words: [{ name: 'SHELL', about: 'bash, zsh or fish.', choices: shellNames }],
  options: {},
  examples: [
    { line: 'source <(heirloom completion bash)', about: 'Enable it in this shell only:' },
  ],
  run: async ({ words, output, terminal, commands }) => {
    const script = shells[words.SHELL as keyof typeof shells](await commands())
    if (output.json) await output.result({ value: { shell: words.SHELL, script }, lines: [] })
    else await writeTo(terminal.stdout, script)
    return 0
  },
})
