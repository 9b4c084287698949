import { isFailure } from '@heirloom/core'
import { pathOf } from '../../../api/operations/paths.ts'
import { badResponse, readWhole } from '../../../client/transport/decode-response.ts'
import type { Config } from '../../../config/config.ts'
import { describeNode } from '../../../observability/log-events.ts'
import type { AgentWallet } from '../../../server/keys/agent-wallet.ts'
import { priceText } from '../../terminal/value-text.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import type { Installation } from './installation.ts'

/** A server to ask, and the API key for it. */
export type ServerPlace = { readonly url: URL; readonly apiKey?: string | undefined }

/** The report of a server on itself: a finding for all of it, and one for each part, by its name. */
type ServerReport = {
  readonly server: Finding
  readonly parts: ReadonlyMap<string, Finding>
  /** The agent wallet of the server; undefined while the server cannot say. */
  readonly agent: string | undefined
}

/** The longest wait for the server, in milliseconds. */
const patience = 2000

type Json = Readonly<Record<string, unknown>>

/** The most bytes of an answer that are read. */
const mostBytes = 2 ** 20

/**
 * Asks the public reads of a server how its parts are. Returns undefined where none answers, and a
 * report that fails where an answer is not understood.
 */
export async function askServer(place: ServerPlace): Promise<ServerReport | undefined> {
  try {
    return await readReport(place)
  } catch (error) {
    return { server: notUnderstood(place.url, error), parts: new Map(), agent: undefined }
  }
}

async function readReport({ url, apiKey }: ServerPlace): Promise<ServerReport | undefined> {
  const [ready, deployment, wallet] = await Promise.all([
    readJson(url, pathOf('readyz')),
    readJson(url, pathOf('deployment')),
    readJson(url, pathOf('wallet'), apiKey),
  ])
  const isReport = ready !== undefined && ('components' in ready || 'code' in ready)
  if (!isReport) return undefined
  const parts = [
    ...walletOf(wallet),
    ...contractsOf(deployment),
    ...componentsOf(ready).map(partOf),
    ...nodesOf(ready.nodes),
  ]
  const agent = deployment?.agent
  return {
    server: summaryOf(url, ready),
    parts: new Map(parts.map((it) => [it.name, it])),
    agent: agent === undefined ? undefined : textOf('agent of /api/deployment', agent),
  }
}

function notUnderstood({ origin }: URL, error: unknown): Finding {
  const problem = Object(error).facts?.problem ?? 'a value in it is of a wrong kind'
  return fail(
    'server',
    `The answer of the server at ${origin} is not understood: ${problem}.`,
    'Correct --url or HEIRLOOM_URL if that is no Heirloom server; else update that server or this program.',
  )
}

/** Returns a value as text. @throws `client/bad-answer` for one that is no text and no number */
function textOf(place: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return `${value}`
  throw badValue(place, value)
}

const badValue = (place: string, value: unknown): Error =>
  badResponse(`${place} is ${JSON.stringify(value)?.slice(0, 100) ?? 'missing'}`)

/** Returns the parts of a server and their states. @throws `client/bad-answer` */
function componentsOf({ components = {} }: Json): readonly (readonly [string, string])[] {
  if (typeof components !== 'object' || components === null) {
    throw badValue('components of /readyz', components)
  }
  return Object.entries(components).map(([part, state]) => [
    part,
    textOf(`components.${part} of /readyz`, state),
  ])
}

function summaryOf(url: URL, ready: Json): Finding {
  const parts = componentsOf(ready)
  const troubled = parts.filter(([, state]) => state !== 'ok').map(([part]) => part)
  const where = `The server at ${url.origin}`
  if (parts.length > 0 && troubled.length === 0) {
    const names = parts.map(([part]) => part).join(', ')
    return ok('server', `${where} reports that it is ready: ${names}.`)
  }
  return fail(
    'server',
    `${where} is not ready; its trouble is with ${troubled.join(', ') || 'its start'}: ${textOf('detail of /readyz', ready.detail)}`,
    `Read ${url.origin}/readyz again in a minute: after a start some parts take a while.`,
  )
}

/** The names that the findings of this program have for parts of `/readyz`. */
const findingNames: Readonly<Record<string, string>> = {
  storage: 'blob-store',
  store: 'jobs',
  keys: 'memory-keys',
}

function partOf([part, state]: readonly [string, string]): Finding {
  const name = findingNames[part] ?? part
  if (state === 'ok') return ok(name, 'The server reports that it is in order.')
  return fail(name, `The server reports ${state}.`, `docs/failures.md explains ${state}.`)
}

function contractsOf(deployment: Json | undefined): readonly Finding[] {
  if (deployment?.registry === undefined) return []
  const text = (name: string) => textOf(`${name} of /api/deployment`, deployment[name])
  const pair = `the registry ${text('registry')} and the marketplace ${text('marketplace')}`
  return [ok('contracts', `The server uses ${pair} on chain ${text('chainId')}.`)]
}

function walletOf(wallet: Json | undefined): readonly Finding[] {
  if (wallet?.balance === undefined) return []
  const balance = textOf('balance of /api/wallet', wallet.balance)
  if (!/^\d{1,78}$/.test(balance)) throw badValue('balance of /api/wallet', balance)
  const address = textOf('address of /api/wallet', wallet.address)
  return [ok('wallet', `The server reports that ${address} holds ${priceText('native', balance)}.`)]
}

function nodesOf(nodes: unknown = []): readonly Finding[] {
  if (!Array.isArray(nodes)) throw badValue('nodes of /readyz', nodes)
  return nodes.map((node, at) => {
    const where = `nodes[${at}] of /readyz`
    if (typeof node !== 'object' || node === null) throw badValue(where, node)
    const name = `node-${textOf(`place in ${where}`, node.place)}`
    textOf(`state in ${where}`, node.state)
    const sentence = `The server reports: ${describeNode({ ...node, of: nodes.length })}.`
    return node.state === 'up' ? ok(name, sentence) : warn(name, sentence, 'Check that node.')
  })
}

/**
 * Returns the JSON object at a path of a server; undefined when there is none in time.
 *
 * @throws `client/bad-answer` for a redirect, which is not followed, and for more than `mostBytes`
 */
async function readJson(url: URL, path: string, apiKey?: string): Promise<Json | undefined> {
  const at = new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url)
  const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  const signal = AbortSignal.timeout(patience)
  try {
    const response = await fetch(at, { headers, signal, redirect: 'manual' })
    if (isRedirect(response)) throw badResponse('it is a redirect')
    const bytes = await readWhole(response, undefined, mostBytes)
    return Object(JSON.parse(new TextDecoder().decode(bytes)))
  } catch (error) {
    const { code, facts } = Object(error)
    if (code !== 'client/bad-answer') return undefined
    throw badResponse(`${path} ${facts.problem.replace(/^it /, '')}`)
  }
}

const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400

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
