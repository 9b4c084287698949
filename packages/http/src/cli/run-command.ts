import { type Command, UsageError } from './arguments/command.ts'
import { fullName, readCall, unknownCommand } from './arguments/read-call.ts'
import { commandNames, loadCommand, loadCommands } from './load-command.ts'
import { terminalOutput } from './terminal/output.ts'
import { interruptedCode, processTerminal, type Terminal } from './terminal/terminal.ts'

/** Runs a command line and returns its exit code. */
export async function runCommand(
  typed: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const json = typed.includes('--json')
  const words = withFullName(typed)
  let command: Command | undefined
  try {
    const [name = 'help', ...rest] = words
    if (isHelpRequest(name, rest)) return await showHelp(terminal, words)
    command = await loadCommand(name)
    if (command === undefined) throw unknownCommand(words, commandNames)
    return await run(terminal, command, { name, words: rest })
  } catch (error) {
    // The reader of standard output, such as `head`, has closed the pipe.
    if (Object(error).code === 'EPIPE') return 0
    const { reportError } = await import('./terminal/report-error.ts')
    const code = await reportError(terminal, error, { words, json })
    return command?.isLocal && !hasOwnCode(error) ? 1 : code
  }
}

/** Returns a command line with the whole name of the command that it begins. */
const withFullName = ([typed, ...rest]: readonly string[]): readonly string[] =>
  typed === undefined ? [] : [fullName(typed, commandNames), ...rest]

/** Reports whether the exit code says what was wrong also for a command that needs no server. */
const hasOwnCode = (error: unknown): boolean =>
  error instanceof UsageError || ['HeirloomError', 'Declined'].includes(Object(error).name)

const helpWords: readonly string[] = ['help', '--help', '-h', '--version', '-v']

function isHelpRequest(name: string, words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  return helpWords.includes(name) || options.includes('--help') || options.includes('-h')
}

async function showHelp(terminal: Terminal, words: readonly string[]): Promise<number> {
  const { printHelp } = await import('./terminal/print-help.ts')
  return printHelp(terminalOutput(terminal, words.includes('--json')), words)
}

async function run(
  terminal: Terminal,
  command: Command,
  { name, words }: { readonly name: string; readonly words: readonly string[] },
): Promise<number> {
  const read = readCall(name, command, words)
  const output = terminalOutput(terminal, read.options.json === true)
  const signal = command.ownSignals ? new AbortController().signal : terminal.interrupted()
  const finished = command.run({ ...read, terminal, output, signal, commands: loadCommands })
  return (await Promise.race([finished, interruption(signal)])) ?? 0
}

/** Resolves with the exit code of Ctrl-C once it was pressed. */
function interruption(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const end = () => resolve(interruptedCode)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
