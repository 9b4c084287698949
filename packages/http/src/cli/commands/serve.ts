import { startEvmWorker } from '@heirloom/adapters/chain/evms'
import { readConfig } from '../../config/config.ts'
import { command } from '../arguments/command.ts'

/** Starts a server. */
export const serve = command({
  about: 'Starts the server, with a chain of its own where RPC_URL names no other.',
  more: [
    'The environment decides everything, as the README tells. The address is printed once all of it is ready.',
  ],
  words: [],
  options: {},
  examples: [
    { line: 'heirloom', about: 'On this machine, with everything in .heirloom:' },
    { line: 'PORT=0 DATA_DIR=memories heirloom serve', about: 'On any free port, elsewhere:' },
  ],
  isLocal: true,
  ownSignals: true,
  run: async ({ terminal, output }) => {
    const config = readConfig(terminal.env)
    // Listened for from the start: a signal that comes during it stops the server once it listens.
    const stop = signalled()
    if (config.chain.kind === 'embedded') startEvmWorker()
    const { serve } = await import('../../server/serve.ts')
    const server = await serve(config)
    try {
      const isReady = await Promise.race([server.ready.then(() => true), stop.then(() => false)])
      if (isReady) await output.answer({ value: { url: server.url }, lines: [server.url] })
      await stop
    } finally {
      await server.close()
    }
    return 0
  },
})

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
