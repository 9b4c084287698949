import { command } from '../arguments/command.ts'
import { bashCompletion } from './bash-completion.ts'
import { fishCompletion } from './fish-completion.ts'
import { zshCompletion } from './zsh-completion.ts'
import { write } from '../terminal/output.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }
const shellNames = Object.keys(shells)

/** Prints what a shell completes command lines with. */
export const completion = command({
  about: 'Prints what a shell completes these commands with.',
  more: [
    'For good: in ~/.bashrc, `source <(heirloom completion bash)`; in ~/.zshrc after compinit, `source <(heirloom completion zsh)`; for fish, `heirloom completion fish > ~/.config/fish/completions/heirloom.fish`.',
  ],
  words: [{ name: 'SHELL', about: 'bash, zsh or fish.', choices: shellNames }],
  options: {},
  examples: [{ line: 'source <(heirloom completion bash)', about: 'For this shell:' }],
  run: async ({ words, output, terminal, commands }) => {
    const script = shells[words.SHELL as keyof typeof shells](await commands())
    if (output.json) await output.answer({ value: { shell: words.SHELL, script }, lines: [] })
    else await write(terminal.stdout, script)
    return 0
  },
})
