import { isIP } from 'node:net'
import { type Environment, readCount, readText, splitList, wrongValue } from './environment.ts'
import { isLocalOnly, type Reach } from './read-access.ts'

/** The bounds of a server, for each client and for all of them; 0 for no bound. */
export type Bounds = {
  /** The requests of one client in a minute. */
  readonly requestsPerMinute: number
  /** The open connections. */
  readonly connections: number
  /** The open connections of one network. */
  readonly connectionsPerClient: number
  /** The event streams of one client. */
  readonly streamsPerClient: number
  /** The concurrent requests of one client to `POST /mcp`. */
  readonly mcpPerClient: number
  /** The bytes of large downloads in flight; one client has half of them. */
  readonly downloadBytes: number
  /** The bytes of large request bodies in flight; one client has half of them. */
  readonly uploadBytes: number
  /** The longest time that a reader may read nothing although data waits, in seconds. */
  readonly slowReaderSeconds: number
  /** The proxies whose X-Forwarded-For is trusted: their number or their addresses; none if absent. */
  readonly trustProxy: number | readonly string[] | undefined
}

/**
 * Reads the bounds of a server. Where only this machine reaches it all clients count as one, and none
 * of them is a stranger; behind a proxy all connections are the proxy's.
 *
 * @throws `config/invalid`
 */
export function readBounds(env: Environment, reach: Pick<Reach, 'host' | 'publicUrl'>): Bounds {
  const trustProxy = readProxies(readText(env, 'TRUST_PROXY'))
  const isLocal = isLocalOnly({ ...reach, bounds: { trustProxy } })
  const count = (name: BoundName, isOne = isLocal) =>
    readCount(env, { name, min: 0, max: 2 ** 40 }, isOne)
  return {
    requestsPerMinute: count('REQUESTS_PER_MINUTE'),
    connections: count('CONNECTIONS'),
    connectionsPerClient: count('CONNECTIONS_PER_CLIENT', isLocal || trustProxy !== undefined),
    streamsPerClient: count('STREAMS_PER_CLIENT'),
    mcpPerClient: count('MCP_PER_CLIENT'),
    downloadBytes: count('DOWNLOAD_BYTES'),
    uploadBytes: count('UPLOAD_BYTES'),
    slowReaderSeconds: count('SLOW_READER_SECONDS'),
    trustProxy,
  }
}

type BoundName =
  | 'REQUESTS_PER_MINUTE'
  | `${'CONNECTIONS' | 'STREAMS' | 'MCP'}_PER_CLIENT`
  | 'CONNECTIONS'
  | `${'DOWNLOAD' | 'UPLOAD'}_BYTES`
  | 'SLOW_READER_SECONDS'

const networkNames: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

// `true` is refused: any client could then claim any address.
function readProxies(text: string | undefined): Bounds['trustProxy'] {
  if (text === undefined || text === 'false' || text === '0') return undefined
  if (/^[1-9]$/.test(text)) return Number(text)
  const proxies = splitList(text)
  if (proxies.length > 0 && proxies.every(isProxy)) return proxies
  throw wrongValue(
    'TRUST_PROXY',
    'must be how many proxies stand before the server, 1 to 9, or a comma list of their addresses and networks',
    text,
  )
}

function isProxy(text: string): boolean {
  if (networkNames.has(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const width = widths[isIP(address)]
  if (width === undefined || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width)
}

const widths: Readonly<Record<number, number>> = { 4: 32, 6: 128 }
