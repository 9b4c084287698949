import { isIP } from 'node:net'
import { type Environment, readInteger, readText, splitList, wrongValue } from './environment.ts'
import { isLocalOnly, type Reach } from './loopback.ts'

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

/** The defaults, which a person or an agent never reaches. */
const defaults = {
  ...{ requestsPerMinute: 6000, connections: 10_000, connectionsPerClient: 256 },
  ...{ streamsPerClient: 100, downloadBytes: 256 * 2 ** 20, uploadBytes: 512 * 2 ** 20 },
  ...{ slowReaderSeconds: 30, mcpPerClient: 8 },
}

/**
 * Reads the bounds of a server. Where only this machine reaches it all clients count as one, and none
 * of them is a stranger; behind a proxy all connections are the proxy's.
 *
 * @throws `config/invalid`
 */
export function readBounds(env: Environment, reach: Pick<Reach, 'host' | 'publicUrl'>): Bounds {
  const trustProxy = readProxies(readText(env, 'TRUST_PROXY'))
  const readCount = (name: string, fallback: number) =>
    readInteger(env, { name, min: 0, max: 2 ** 40 }) ?? fallback
  const { requestsPerMinute, connectionsPerClient } = defaults
  const isLocal = isLocalOnly({ ...reach, bounds: { trustProxy } })
  const isOneClient = isLocal || trustProxy !== undefined
  return {
    requestsPerMinute: readCount('REQUESTS_PER_MINUTE', isLocal ? 0 : requestsPerMinute),
    connections: readCount('CONNECTIONS', defaults.connections),
    connectionsPerClient: readCount(
      'CONNECTIONS_PER_CLIENT',
      isOneClient ? 0 : connectionsPerClient,
    ),
    streamsPerClient: readCount('STREAMS_PER_CLIENT', defaults.streamsPerClient),
    mcpPerClient: readCount('MCP_PER_CLIENT', isLocal ? 0 : defaults.mcpPerClient),
    downloadBytes: readCount('DOWNLOAD_BYTES', defaults.downloadBytes),
    uploadBytes: readCount('UPLOAD_BYTES', defaults.uploadBytes),
    slowReaderSeconds: readCount('SLOW_READER_SECONDS', defaults.slowReaderSeconds),
    trustProxy,
  }
}

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
