import type { Command } from './arguments/command.ts'
import { loadCommand, loadCommands } from './load-command.ts'
import { outputOn } from './terminal/output.ts'
import { readCall, unknown } from './arguments/read-call.ts'
import { interruptedCode, processTerminal, type Terminal } from './terminal/terminal.ts'
import { UsageError } from './arguments/usage-error.ts'

/** Runs the command that the words of a command line name, and returns its exit code. */
export async function runCommand(
  words: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const json = words.includes('--json')
  let command: Command | undefined
  try {
    const [name = 'serve', ...rest] = words
    if (asksForHelp(name, rest)) return await showHelp(terminal, words)
    command = await loadCommand(name)
    if (command === undefined) throw unknown(words)
    return await run(terminal, command, { name, words: rest })
  } catch (error) {
    // Who reads the answer had enough of it.
    if (Object(error).code === 'EPIPE') return 0
    const { complain } = await import('./terminal/report-error.ts')
    const code = await complain(terminal, error, json)
    return command?.isLocal && !(error instanceof UsageError) ? 1 : code
  }
}

const aboutAll: readonly string[] = ['help', '--help', '-h', '--version']

function asksForHelp(name: string, words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  return aboutAll.includes(name) || options.includes('--help') || options.includes('-h')
}

async function showHelp(terminal: Terminal, words: readonly string[]): Promise<number> {
  const { help } = await import('./terminal/print-help.ts')
  return help(outputOn(terminal, words.includes('--json')), words)
}

async function run(
  terminal: Terminal,
  command: Command,
  { name, words }: { readonly name: string; readonly words: readonly string[] },
): Promise<number> {
  const read = readCall(name, command, words)
  const output = outputOn(terminal, read.options.json === true)
  const signal = command.ownSignals ? new AbortController().signal : terminal.interrupted()
  const ended = command.run({ ...read, terminal, output, signal, commands: loadCommands })
  return Promise.race([ended, interruption(signal)])
}

/** Resolves with the exit code of Ctrl-C when it comes. */
function interruption(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const end = () => resolve(interruptedCode)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
