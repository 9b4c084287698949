import { isFailure } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import type { AgentWallet } from '../../server/keys/agent-wallet.ts'
import { askServer, type ServerPlace, type ServerReport } from './ask-server.ts'
import { type Finding, fail, warn } from './finding.ts'
import type { Installation } from './installation.ts'

/** Finds nothing but what a server says: for a machine that has no data folder. */
export async function* checkServerAlone(place: ServerPlace): AsyncGenerator<Finding> {
  const report = await askServer(place)
  if (report === undefined) {
    yield noServer(place.url)
    return
  }
  yield report.server
  yield* report.parts.values()
}

/** The findings of the server of an installation, where one answers. */
export type Known = Partial<Pick<ServerReport, 'server' | 'parts'>>

/**
 * Asks a server about the parts that it locks: the one that is named, else the one at the address of
 * the settings, of which nothing is said unless it is the server of this installation.
 */
export async function reportOf(
  installation: Installation,
  agent: AgentWallet | undefined,
  named: ServerPlace | undefined,
): Promise<Known> {
  const isUsed = isFailure(installation.lockError, 'folder/in-use')
  if (named !== undefined) return reportOfNamed(named, agent, isUsed)
  if (!isUsed) return {}
  const report = await askServer({ url: addressOf(installation.config) })
  return report !== undefined && isSame(report.agent, agent) ? report : {}
}

async function reportOfNamed(
  place: ServerPlace,
  agent: AgentWallet | undefined,
  isUsed: boolean,
): Promise<Known> {
  const report = await askServer(place)
  if (report === undefined) return { server: noServer(place.url) }
  const isUnclear = report.agent === undefined && report.server.level === 'fail'
  if (!isUsed || isUnclear) return { server: report.server }
  return isSame(report.agent, agent) ? report : { server: otherServer(place.url, report.agent) }
}

const isSame = (found: string | undefined, agent: AgentWallet | undefined): boolean =>
  agent !== undefined && found?.toLowerCase() === agent.wallet.address.toLowerCase()

const noServer = (url: URL): Finding =>
  fail(
    'server',
    `No Heirloom server answers at ${url.origin}.`,
    'Start it with heirloom serve, or correct --url or HEIRLOOM_URL.',
  )

const otherServer = (url: URL, agent: string | undefined): Finding =>
  warn(
    'server',
    agent === undefined
      ? `The server at ${url.origin} does not say which wallet it has.`
      : `The server at ${url.origin} has another wallet, ${agent}: it does not use this folder.`,
    'Pass --url with the address that the server of this folder printed.',
  )

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): URL {
  const name = wildcards.has(host) ? '127.0.0.1' : host
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`)
}
