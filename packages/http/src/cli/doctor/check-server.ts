import { isFailure } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import type { AgentWallet } from '../../server/keys/agent-wallet.ts'
import { type Finding, ok, warn } from './finding.ts'
import type { Installation } from './installation.ts'

/** The longest wait for the server, in milliseconds. */
const patience = 2000

/**
 * Asks the server that uses the folder about the parts that it locks, at the address of its settings.
 * Finds nothing where no server answers there, or one with another wallet.
 */
export async function* checkServer(
  { config, lockError }: Installation,
  agent: AgentWallet | undefined,
): AsyncGenerator<Finding> {
  if (!isFailure(lockError, 'folder/in-use') || agent === undefined) return
  const url = addressOf(config)
  const deployment = await readJson(new URL('/api/deployment', url))
  const isIts = `${deployment?.agent}`.toLowerCase() === agent.wallet.address.toLowerCase()
  if (!isIts) return
  const report = await readJson(new URL('/readyz', url))
  if (report !== undefined) yield describeReport(url, Object(report.components))
}

function describeReport(url: URL, components: object): Finding {
  const parts = Object.entries(components)
  const troubled = parts.filter(([, state]) => state !== 'ok').map(([part]) => part)
  const where = `The server at ${url.origin}`
  if (parts.length > 0 && troubled.length === 0) {
    return ok(
      'server',
      `${where} reports that it is ready: ${parts.map(([part]) => part).join(', ')}.`,
    )
  }
  return warn(
    'server',
    `${where} reports trouble with ${troubled.join(', ') || 'its start'}.`,
    `Read ${url.origin}/readyz, which says what it is.`,
  )
}

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): URL {
  const name = wildcards.has(host) ? '127.0.0.1' : host
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`)
}

/** Returns the JSON object at an address; undefined when there is none in time. */
async function readJson(url: URL): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patience) })
    return Object(await response.json())
  } catch {
    return undefined
  }
}
