import { command } from '../arguments/command.ts'
import { writeTo } from '../terminal/output.ts'
import { bashCompletion } from './bash-completion.ts'
import { fishCompletion } from './fish-completion.ts'
import { zshCompletion } from './zsh-completion.ts'

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
