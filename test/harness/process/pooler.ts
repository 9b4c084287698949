import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to PostgreSQL that lends its own connections, as PgBouncer does. */
export type Pooler = { readonly url: string; close(): void }

export declare namespace startPooler {
  type Options = {
    /** The time for which a client has a connection to PostgreSQL. */
    readonly lends: 'session' | 'transaction'
  }
}

/**
 * Starts a pooler in front of a database. It refuses settings where a connection starts, as PgBouncer
 * does when it is installed.
 */
export async function startPooler(database: URL, { lends }: startPooler.Options): Promise<Pooler> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => sockets.add(socket.on('error', () => undefined)) && socket
  const open = () => keep(connect(Number(database.port), database.hostname))
  const pool: Pool = { idle: [], open, isShared: lends === 'transaction' }
  const server = createServer((client) => void serve(keep(client), pool)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(database)
  url.port = String((server.address() as AddressInfo).port)
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: url.href, close }
}

type Pool = {
  /** The connections that nobody has; the one returned last is lent first. */
  readonly idle: Lent[]
  readonly isShared: boolean
  /** Connects to PostgreSQL. */
  open(): Socket
}

/** A connection to PostgreSQL, and what it said when it started. */
type Lent = { readonly socket: Socket; readonly greeting: Buffer }

async function serve(client: Socket, pool: Pool): Promise<void> {
  const [startup]: Buffer[] = await once(client, 'data')
  const refused = startup && refusedIn(startup)
  if (startup === undefined || refused !== undefined) return void client.end(refusal(`${refused}`))
  let lent: Promise<Lent> | undefined
  const lend = async () => {
    const one = await take(pool, startup)
    const onAnswer = (bytes: Buffer) => {
      client.write(bytes)
      if (!pool.isShared || !isReady(bytes)) return
      one.socket.off('data', onAnswer)
      pool.idle.push(one)
      lent = undefined
    }
    one.socket.on('data', onAnswer)
    return one
  }
  client.on('data', async (bytes: Buffer) => {
    if (bytes[0] === terminate) return client.end()
    lent ??= lend()
    const { socket } = await lent
    socket.write(bytes)
  })
  client.on('close', () => void lent?.then(({ socket }) => socket.destroy()))
  const first = await take(pool, startup)
  pool.idle.push(first)
  client.write(first.greeting)
}

/** Returns a connection that nobody has, or a new one. */
const take = async ({ idle, open }: Pool, startup: Buffer): Promise<Lent> =>
  idle.pop() ?? (await greet(open(), startup))

const terminate = 'X'.charCodeAt(0)

/** Starts a connection, and returns it with the words of PostgreSQL up to its first readiness. */
async function greet(socket: Socket, startup: Buffer): Promise<Lent> {
  socket.write(startup)
  let greeting = Buffer.alloc(0)
  while (!isReady(greeting)) {
    const [bytes]: Buffer[] = await once(socket, 'data')
    greeting = Buffer.concat([greeting, bytes ?? greeting])
  }
  return { socket, greeting }
}

/** Returns whether an answer ends by the message that no transaction is open, and another may begin. */
const isReady = (bytes: Buffer): boolean => bytes.subarray(-6).equals(ready)

const ready = Buffer.from('Z\0\0\0\x05I')

/** The parameters of a new connection that PgBouncer takes as it is installed. */
const allowed = new Set(['user', 'database', 'client_encoding', 'application_name'])

/** Returns the first parameter of a startup message that a pooler refuses. */
function refusedIn(message: Buffer): string | undefined {
  const texts = message.toString('utf8', 8).split('\0')
  const names = texts.filter((name, at) => at % 2 === 0 && name !== '')
  return names.find((name) => !allowed.has(name))
}

/** Returns the answer of PgBouncer to such a parameter. */
function refusal(name: string): Buffer {
  const fields = `SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(4 + Buffer.byteLength(fields), 1)
  return Buffer.concat([head, Buffer.from(fields)])
}
