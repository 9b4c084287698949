import { describeNode } from '../../observability/describe-node.ts'
import { priceText } from '../terminal/amount-text.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** A server to ask, and the API key for it. */
export type ServerPlace = { readonly url: URL; readonly apiKey?: string | undefined }

/** The report of a server on itself: a finding for all of it, and one for each part, by its name. */
export type ServerReport = {
  readonly server: Finding
  readonly parts: ReadonlyMap<string, Finding>
  /** The agent wallet of the server; undefined while the server cannot say. */
  readonly agent: string | undefined
}

/** The longest wait for the server, in milliseconds. */
const patience = 2000

type Json = Readonly<Record<string, unknown>>

/** Asks the public reads of a server how its parts are. Returns undefined where none answers. */
export async function askServer({ url, apiKey }: ServerPlace): Promise<ServerReport | undefined> {
  const at = (path: string) => new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url)
  const [ready, deployment, wallet] = await Promise.all([
    readJson(at('/readyz')),
    readJson(at('/api/deployment')),
    readJson(at('/api/wallet'), apiKey),
  ])
  const isReport = ready !== undefined && ('components' in ready || 'code' in ready)
  if (!isReport) return undefined
  const parts = [
    ...walletOf(wallet),
    ...contractsOf(deployment),
    ...Object.entries(Object(ready.components)).map(partOf),
    ...nodesOf(ready.nodes),
  ]
  return {
    server: summaryOf(url, ready),
    parts: new Map(parts.map((it) => [it.name, it])),
    agent: deployment?.agent === undefined ? undefined : `${deployment.agent}`,
  }
}

function summaryOf(url: URL, { components, message }: Json): Finding {
  const parts = Object.entries(Object(components))
  const troubled = parts.filter(([, state]) => state !== 'ok').map(([part]) => part)
  const where = `The server at ${url.origin}`
  if (parts.length > 0 && troubled.length === 0) {
    const names = parts.map(([part]) => part).join(', ')
    return ok('server', `${where} reports that it is ready: ${names}.`)
  }
  return fail(
    'server',
    `${where} is not ready; its trouble is with ${troubled.join(', ') || 'its start'}: ${message}`,
    `Read ${url.origin}/readyz again in a minute: after a start some parts take a while.`,
  )
}

/** The names that the findings of this program have for parts of `/readyz`. */
const findingNames: Readonly<Record<string, string>> = {
  storage: 'blob-store',
  store: 'jobs',
  keys: 'memory-keys',
}

function partOf([part, state]: [string, unknown]): Finding {
  const name = findingNames[part] ?? part
  if (state === 'ok') return ok(name, 'The server reports that it is in order.')
  return fail(name, `The server reports ${state}.`, `docs/failures.md explains ${state}.`)
}

function contractsOf(deployment: Json | undefined): readonly Finding[] {
  if (deployment?.registry === undefined) return []
  const { registry, marketplace, chainId } = deployment
  const pair = `the registry ${registry} and the marketplace ${marketplace}`
  return [ok('contracts', `The server uses ${pair} on chain ${chainId}.`)]
}

function walletOf(wallet: Json | undefined): readonly Finding[] {
  if (!/^\d+$/.test(String(wallet?.balance))) return []
  const { address, balance } = Object(wallet)
  return [ok('wallet', `The server reports that ${address} holds ${priceText('native', balance)}.`)]
}

function nodesOf(nodes: unknown): readonly Finding[] {
  if (!Array.isArray(nodes)) return []
  return nodes.map((node) => {
    const sentence = `The server reports: ${describeNode({ ...node, of: nodes.length })}.`
    if (node.state === 'up') return ok(`node-${node.place}`, sentence)
    return warn(`node-${node.place}`, sentence, 'Check that node.')
  })
}

/** Returns the JSON object at an address; undefined when there is none in time. */
async function readJson(url: URL, apiKey?: string): Promise<Json | undefined> {
  const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(patience) })
    return Object(await response.json())
  } catch {
    return undefined
  }
}
