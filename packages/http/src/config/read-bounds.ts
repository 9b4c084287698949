import { isIP } from 'node:net'
import { type Environment, integer, invalid, items, value } from './environment.ts'

/** What one client may have of a server, and what all of them may have together; 0 for anything. */
export type Bounds = {
  /** How many requests of one client are answered in a minute. */
  readonly requestsPerMinute: number
  /** How many connections are open. */
  readonly connections: number
  /** How many of them come from one network. */
  readonly connectionsPerClient: number
  /** How many streams of events one client listens to. */
  readonly streamsPerClient: number
  /** How many requests to `POST /mcp` of one client are under way. */
  readonly mcpPerClient: number
  /** How many bytes of large memories are on their way to readers; half of them to one client. */
  readonly downloadBytes: number
  /** How many bytes of large bodies are worked on; half of them of one client. */
  readonly uploadBytes: number
  /** How long a reader may take in nothing of what waits for it, in seconds. */
  readonly slowReaderSeconds: number
  /** The proxies whose X-Forwarded-For is believed: how many there are, or where; none when absent. */
  readonly trustProxy: number | readonly string[] | undefined
}

/** What a person or an agent never meets. */
const generous = {
  ...{ requestsPerMinute: 6000, connections: 10_000, connectionsPerClient: 256 },
  ...{ streamsPerClient: 100, downloadBytes: 256 * 2 ** 20, uploadBytes: 512 * 2 ** 20 },
  ...{ slowReaderSeconds: 30, mcpPerClient: 8 },
}

/**
 * Reads the bounds of a server. All clients on a loopback address are one, and none of them is a
 * stranger; behind a proxy all connections are the proxy's.
 *
 * @throws `config/invalid`
 */
export function readBounds(env: Environment, isLoopback: boolean): Bounds {
  const trustProxy = readProxies(value(env, 'TRUST_PROXY'))
  const count = (name: string, usual: number) =>
    integer(env, { name, least: 0, most: 2 ** 40 }) ?? usual
  const { requestsPerMinute, connectionsPerClient } = generous
  const isOne = isLoopback || trustProxy !== undefined
  return {
    requestsPerMinute: count('REQUESTS_PER_MINUTE', isLoopback ? 0 : requestsPerMinute),
    connections: count('CONNECTIONS', generous.connections),
    connectionsPerClient: count('CONNECTIONS_PER_CLIENT', isOne ? 0 : connectionsPerClient),
    streamsPerClient: count('STREAMS_PER_CLIENT', generous.streamsPerClient),
    mcpPerClient: count('MCP_PER_CLIENT', isLoopback ? 0 : generous.mcpPerClient),
    downloadBytes: count('DOWNLOAD_BYTES', generous.downloadBytes),
    uploadBytes: count('UPLOAD_BYTES', generous.uploadBytes),
    slowReaderSeconds: count('SLOW_READER_SECONDS', generous.slowReaderSeconds),
    trustProxy,
  }
}

const named: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

// Whoever is believed about every address is believed about a made-up one, so true is refused.
function readProxies(text: string | undefined): Bounds['trustProxy'] {
  if (text === undefined || text === 'false' || text === '0') return undefined
  if (/^[1-9]$/.test(text)) return Number(text)
  const proxies = items(text)
  if (proxies.length > 0 && proxies.every(isProxy)) return proxies
  throw invalid(
    'TRUST_PROXY',
    'must be how many proxies stand before the server, 1 to 9, or a comma list of their addresses and networks',
  )
}

function isProxy(text: string): boolean {
  if (named.has(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const width = widths[isIP(address)]
  if (width === undefined || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width)
}

const widths: Readonly<Record<number, number>> = { 4: 32, 6: 128 }
