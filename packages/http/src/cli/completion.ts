import { command, type NamedCommands, type Option, type Word } from './arguments/command.ts'
import { commonOptions } from './arguments/read-call.ts'
import { writeTo } from './terminal/output.ts'

/** Returns a bash script that completes commands, options and the values of options. */
function bashCompletion(commands: NamedCommands): string {
  const names = commands.map(([name]) => name)
  return `if ! type complete compgen >/dev/null 2>&1; then
  echo 'heirloom: these completions need bash with programmable completion.' >&2
  return 1
fi
_heirloom() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names.join(' ')} help' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(bashValueCases).join('\n')}
  esac
  if [[ -z $words ]]; then
    case \${COMP_WORDS[1]} in
${commands.map(bashWordCase).join('\n')}
    esac
  fi
  [[ $words == file ]] || COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _heirloom heirloom
`
}

// Leaves COMPREPLY empty, so that bash completes file names itself.
const fileNames = 'file'

function bashValueCases([name, { options }]: NamedCommands[number]): readonly string[] {
  return Object.entries(options).flatMap(([option, it]) => {
    const values = bashValues(it)
    if (values === undefined) return []
    const forms = [`--${option}`, ...(it.short === undefined ? [] : [`-${it.short}`])]
    const patterns = forms.map((form) => `'${name} ${form}'`).join(' | ')
    return [`    ${patterns}) words='${values}' ;;`]
  })
}

const bashValues = ({ choices, file }: Option) =>
  choices?.join(' ') ?? (file ? fileNames : undefined)

function bashWordCase([name, { words, options }]: NamedCommands[number]): string {
  const flags = Object.keys({ ...options, ...commonOptions }).map((option) => `--${option}`)
  const choices = words.flatMap((word) => word.choices ?? [])
  const argument = words.some((word) => word.file) ? fileNames : choices.join(' ')
  return `      ${name}) if [[ $current == -* ]]; then words='${flags.join(' ')}'; else words='${argument}'; fi ;;`
}

/** Returns a zsh script that completes commands, options and the values of options. */
function zshCompletion(commands: NamedCommands): string {
  return `#compdef heirloom
if ! (( $+functions[compdef] )); then
  print -u2 'heirloom: these completions need compinit; put "autoload -Uz compinit && compinit" before this line in ~/.zshrc.'
  return 1
fi
_heirloom() {
  local -a commands
  commands=(
${commands.map(([name, { about }]) => `    ${zshQuoted(`${name}:${about}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(zshCase).join('\n')}
  esac
}
compdef _heirloom heirloom
`
}

function zshCase([name, { words, options }]: NamedCommands[number]): string {
  const all: readonly (readonly [string, Option])[] = Object.entries({
    ...options,
    ...commonOptions,
  })
  const specs = [...all.map(optionSpec), ...words.map(wordSpec)]
  return `    ${name}) _arguments ${specs.map(zshQuoted).join(' ')} ;;`
}

function optionSpec([name, option]: readonly [string, Option]): string {
  const flag = `--${name}[${zshEscaped(option.about).replace(/[[\]]/g, '\\$&')}]`
  return option.type === 'boolean' ? flag : `${flag}:${option.value ?? name}:${actionOf(option)}`
}

const wordSpec = (word: Word, at: number) => `${at + 1}:${word.name}:${actionOf(word)}`

function actionOf({ choices, file }: Pick<Option, 'choices' | 'file'>): string {
  if (choices !== undefined) return `(${choices.join(' ')})`
  return file ? '_files' : ''
}

const zshEscaped = (text: string) => text.replace(/[\\:]/g, '\\$&')
const zshQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns a fish script that completes commands, options and the values of options. */
function fishCompletion(commands: NamedCommands): string {
  return `${['complete -c heirloom -f', ...commands.flatMap(fishLines)].join('\n')}\n`
}

function fishLines([name, { about, words, options }]: NamedCommands[number]): readonly string[] {
  const prefix = `complete -c heirloom -n '__fish_seen_subcommand_from ${name}'`
  const all: readonly (readonly [string, Option])[] = Object.entries({
    ...options,
    ...commonOptions,
  })
  const choices = words.flatMap((word) => word.choices ?? [])
  return [
    `complete -c heirloom -n __fish_use_subcommand -a ${name} -d ${fishQuoted(about)}`,
    ...(words.some((word) => word.file) ? [`${prefix} -F`] : []),
    ...(choices.length > 0 ? [`${prefix} -a ${fishQuoted(choices.join(' '))}`] : []),
    ...all.map(
      ([option, it]) => `${prefix} -l ${option}${fishValues(it)} -d ${fishQuoted(it.about)}`,
    ),
  ]
}

function fishValues({ type, short, choices, file }: Option): string {
  const letter = short === undefined ? '' : ` -s ${short}`
  if (type === 'boolean') return letter
  if (choices !== undefined) return `${letter} -x -a ${fishQuoted(choices.join(' '))}`
  return `${letter} ${file ? '-r -F' : '-x'}`
}

const fishQuoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

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
  examples: {
    'Enable it in this shell only:': 'source <(heirloom completion bash)',
  },
  run: async ({ words, output, terminal, commands }) => {
    const script = shells[words.SHELL as keyof typeof shells](await commands())
    if (output.json) await output.result({ value: { shell: words.SHELL, script }, lines: [] })
    else await writeTo(terminal.stdout, script)
  },
})
