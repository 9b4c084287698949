import { startEvmWorker } from '@heirloom/adapters/internal/evm-worker'
import { shownValue } from '../../api/shown-value.ts'
import { type Config, type Environment, readConfig } from '../../config/config.ts'
import { misspeltVariables } from '../../config/environment.ts'
import { command, UsageError, withValue } from '../arguments/command.ts'
import { writeTo } from '../terminal/output.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Starts a server. */
export const serve = command({
  about: 'Starts the server, with an embedded chain unless RPC_URL names another one.',
  more: [
    'Environment variables configure the server; docs/settings.md lists them. It prints its address when it is ready.',
  ],
  words: [],
  options: {
    port: withValue('N', 'The port; 0 picks a free one. Default: PORT, or 3000.'),
    'as-writer': {
      type: 'boolean',
      about: 'Say once that this copied data folder writes, because its original never will again.',
    },
  },
  examples: {
    'Start a server with its data in .heirloom:': 'heirloom serve',
    'Use any free port and another folder:': 'DATA_DIR=memories heirloom serve --port 0',
  },
  isLocal: true,
  ownSignals: true,
  run: async ({ options, terminal, output }) => {
    const { port } = options
    const config = readConfig(port === undefined ? terminal.env : withPort(terminal.env, port))
    await warnOfMisspelt(terminal, config)
    if (options['as-writer'] === true) {
      const { adoptCopy } = await import('./backup/adopt-copy.ts')
      adoptCopy(config)
    }
    // Handled from here on: a signal during the start stops the server as soon as it listens.
    const stop = terminal.stopped()
    if (config.chain.kind === 'embedded') startEvmWorker()
    const { serve } = await import('../../server/serve.ts')
    const server = await serve(config)
    try {
      const isReady = await Promise.race([server.ready.then(() => true), stop.then(() => false)])
      if (isReady) await output.result({ value: { url: server.url }, lines: [server.url] })
      await stop
    } finally {
      await server.close()
    }
  },
})

/** Logs variables that look like a setting and are none. */
async function warnOfMisspelt({ env, stderr }: Terminal, { logLevel }: Config): Promise<void> {
  if (['error', 'fatal', 'silent'].includes(logLevel)) return
  for (const msg of misspeltVariables(env)) {
    await writeTo(stderr, `${JSON.stringify({ level: 40, time: Date.now(), msg })}\n`)
  }
}

/** Returns an environment with a port. @throws a `UsageError` that names the option */
function withPort(env: Environment, port: string): Environment {
  const isPort = /^[0-9]{1,5}$/.test(port) && Number(port) < 65_536
  if (isPort) return { ...env, PORT: port }
  throw new UsageError(`--port must be a whole number from 0 to 65535${shownValue(port)}.`)
}
