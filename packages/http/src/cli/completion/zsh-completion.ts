import type { NamedCommands, Option, Word } from '../arguments/command.ts'
import { commonOptions } from '../arguments/read-call.ts'

/** Returns a zsh script that completes commands, options and the values of options. */
export function zshCompletion(commands: NamedCommands): string {
  return `#compdef heirloom
if ! (( $+functions[compdef] )); then
  print -u2 'heirloom: these completions need compinit; put "autoload -Uz compinit && compinit" before this line in ~/.zshrc.'
  return 1
fi
_heirloom() {
  local -a commands
  commands=(
${commands.map(([name, { about }]) => `    ${quoted(`${name}:${about}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(commandCase).join('\n')}
  esac
}
compdef _heirloom heirloom
`
}

function commandCase([name, { words, options }]: NamedCommands[number]): string {
  const all: readonly (readonly [string, Option])[] = Object.entries({
    ...options,
    ...commonOptions,
  })
  const specs = [...all.map(optionSpec), ...words.map(wordSpec)]
  return `    ${name}) _arguments ${specs.map(quoted).join(' ')} ;;`
}

function optionSpec([name, option]: readonly [string, Option]): string {
  const flag = `--${name}[${escaped(option.about).replace(/[[\]]/g, '\\$&')}]`
  return option.type === 'boolean' ? flag : `${flag}:${option.value ?? name}:${actionOf(option)}`
}

const wordSpec = (word: Word, at: number) => `${at + 1}:${word.name}:${actionOf(word)}`

function actionOf({ choices, file }: Pick<Option, 'choices' | 'file'>): string {
  if (choices !== undefined) return `(${choices.join(' ')})`
  return file ? '_files' : ''
}

const escaped = (text: string) => text.replace(/[\\:]/g, '\\$&')
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
