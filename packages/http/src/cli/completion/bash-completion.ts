import type { NamedCommands, Option } from '../arguments/command.ts'
import { commonOptions } from '../arguments/read-call.ts'

/** Returns a bash script that completes commands, options and the values of options. */
export function bashCompletion(commands: NamedCommands): string {
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
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ -z $words ]]; then
    case \${COMP_WORDS[1]} in
${commands.map(wordCase).join('\n')}
    esac
  fi
  [[ $words == file ]] || COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _heirloom heirloom
`
}

// Leaves COMPREPLY empty, so that bash completes file names itself.
const fileNames = 'file'

function valueCases([name, { options }]: NamedCommands[number]): readonly string[] {
  return Object.entries(options).flatMap(([option, it]) => {
    const values = valuesOf(it)
    if (values === undefined) return []
    const forms = [`--${option}`, ...(it.short === undefined ? [] : [`-${it.short}`])]
    const patterns = forms.map((form) => `'${name} ${form}'`).join(' | ')
    return [`    ${patterns}) words='${values}' ;;`]
  })
}

const valuesOf = ({ choices, file }: Option) => choices?.join(' ') ?? (file ? fileNames : undefined)

function wordCase([name, { words, options }]: NamedCommands[number]): string {
  const flags = Object.keys({ ...options, ...commonOptions }).map((option) => `--${option}`)
  const choices = words.flatMap((word) => word.choices ?? [])
  const argument = words.some((word) => word.file) ? fileNames : choices.join(' ')
  return `      ${name}) if [[ $current == -* ]]; then words='${flags.join(' ')}'; else words='${argument}'; fi ;;`
}
