import { parseArgs } from 'node:util'
import { isFailure } from '@heirloom/core'
import { readChainConfig, readConfig } from './config.ts'

type Flags = { readonly [flag: string]: boolean | undefined }
type Command = {
  readonly flags: readonly string[]
  /** Returns the exit code. */
  readonly run: (flags: Flags) => Promise<number>
}

// The parts are loaded by the command that needs them, so that a wrong word or variable is told at
// once.
const commands: ReadonlyMap<string, Command> = new Map([
  ['serve', { flags: [], run: runServer }],
  ['deploy', { flags: ['dry-run', 'standard-json'], run: runDeployment }],
  ['doctor', { flags: ['json'], run: runDoctor }],
  ['mcp', { flags: [], run: runMcpServer }],
])

async function runServer(): Promise<number> {
  const config = readConfig(process.env)
  // Listened for from the start: a signal that comes during it stops the server once it is up.
  const stop = signalled()
  const { serve } = await import('./serve.ts')
  const server = await serve(config)
  process.stdout.write(`${server.url}\n`)
  await stop
  await server.close()
  return 0
}

// A shell and npm each pass one key press on, so that it arrives several times within a moment.
const sameSignalWithin = 1000

/** Waits for the first signal to stop; from then on a second one ends the process at once. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      first ??= { signal, at: performance.now() }
      const again = signal !== first.signal || performance.now() - first.at > sameSignalWithin
      if (again) process.exit(1)
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}

async function runDeployment(flags: Flags): Promise<number> {
  const { deploy, rehearse, standardJson } = await import('./deploy.ts')
  const say = (line: string) => process.stderr.write(`${line}\n`)
  if (flags['standard-json']) return print(await standardJson(say))
  const act = flags['dry-run'] ? rehearse : deploy
  const pair = await act(readChainConfig(process.env), say)
  if (pair === undefined) return 0
  return print(`REGISTRY_ADDRESS=${pair.registry}\nMARKETPLACE_ADDRESS=${pair.marketplace}\n`)
}

async function runDoctor({ json }: Flags): Promise<number> {
  const { doctor } = await import('./doctor.ts')
  const { lineOf } = await import('./doctor-finding.ts')
  const findings = []
  for await (const finding of doctor(process.env)) {
    findings.push(finding)
    if (!json) await print(`${lineOf(finding)}\n`)
  }
  if (json) await print(`${JSON.stringify(findings, undefined, 2)}\n`)
  return findings.some(({ level }) => level === 'fail') ? 1 : 0
}

async function runMcpServer(): Promise<number> {
  const { runMcp } = await import('./mcp/stdio.ts')
  return runMcp(process.env)
}

// The process exits when a command is done, and what a pipe has not taken by then is lost.
function print(text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve(0)))
  })
}

// A wrong word is not repeated: it may be a key that went astray.
function parse([name = 'serve', ...words]: readonly string[]): (() => Promise<number>) | string {
  const command = commands.get(name)
  if (command === undefined) return 'There is no such command; use serve, deploy, doctor or mcp.'
  const options = Object.fromEntries(command.flags.map((flag) => [flag, { type: 'boolean' }]))
  try {
    const { values } = parseArgs({ args: words, options: options as Options })
    return () => command.run(values)
  } catch {
    const flags = command.flags.map((flag) => `--${flag}`).join(' and ') || 'no options'
    return `The command ${name} takes ${flags}, and nothing else.`
  }
}

type Options = { readonly [flag: string]: { readonly type: 'boolean' } }

/** Runs the command that the words of a command line name, and returns its exit code. */
export async function runCommand(words: readonly string[]): Promise<number> {
  const command = parse(words)
  if (typeof command === 'string') return complain(command, 2)
  try {
    return await command()
  } catch (error) {
    return complain(sentenceOf(error), 1)
  }
}

function complain(sentence: string, code: number): number {
  process.stderr.write(`${sentence}\n`)
  return code
}

function sentenceOf(error: unknown): string {
  if (isFailure(error)) return error.message
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error)
}
