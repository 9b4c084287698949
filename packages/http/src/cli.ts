#!/usr/bin/env node
import { isFailure } from '@heirloom/core'
import { type Config, readConfig } from './config.ts'

// The parts are loaded by the command that needs them, so that a wrong word or variable is told at
// once.
const commands: ReadonlyMap<string, (config: Config) => Promise<void>> = new Map([
  ['serve', runServer],
  ['deploy', runDeployment],
])

async function runServer(config: Config): Promise<void> {
  // Listened for from the start: a signal that comes during it stops the server once it is up.
  const stop = signalled()
  const { serve } = await import('./serve.ts')
  const server = await serve(config)
  process.stdout.write(`${server.url}\n`)
  await stop
  await server.close()
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

async function runDeployment({ chain, agentKey }: Config): Promise<void> {
  const { deployRemote } = await import('./chain-source.ts')
  const { registry, marketplace } = await deployRemote(chain, agentKey)
  process.stdout.write(`REGISTRY_ADDRESS=${registry}\nMARKETPLACE_ADDRESS=${marketplace}\n`)
}

async function run(name = 'serve'): Promise<number> {
  try {
    const command = commands.get(name)
    if (command === undefined) throw new Error(`There is no command ${name}; use serve or deploy.`)
    await command(readConfig(process.env))
    return 0
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    return 1
  }
}

function sentenceOf(error: unknown): string {
  if (isFailure(error)) return error.message
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error)
}

// Exiting, not only returning: a part that holds the process up must not outlive the server.
process.exit(await run(process.argv[2]))
