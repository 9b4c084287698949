import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostServer, post } from '../harness/process/server.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()

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

/** Starts a pooler in front of the database, which takes no settings where a connection starts. */
async function startPooler(): Promise<string> {
  const sockets = new Set<Socket>()
  const pooler = createServer(async (client) => {
    sockets.add(client.on('error', () => undefined))
    const [first] = await once(client, 'data')
    const refused = refusedIn(first)
    if (refused !== undefined) return client.end(refusal(refused))
    const server = connect(Number(postgres.url.port), postgres.url.hostname)
    sockets.add(server.on('error', () => client.destroy()))
    server.write(first)
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    pooler.close()
  })
  const url = new URL(postgres.url)
  url.port = String((pooler.address() as AddressInfo).port)
  return url.href
}

test('a pooler that refuses settings at the start of a connection is one that servers can use', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pooler-'))
  const DATABASE_URL = await startPooler()
  const server = await hostServer({ DATA_DIR: join(home, 'data'), DATABASE_URL })
  onTestFinished(async () => {
    await server.end()
    rmSync(home, { recursive: true })
  })
  const body = '{"data":{},"metadata":{"category":"research"}}'
  expect((await post(server.url, '/api/memory/snapshot', body)).status).toBe(201)
  const { items } = (await (await fetch(`${server.url}/api/memory`)).json()) as { items: object[] }
  expect(items).toHaveLength(1)
  const tables = "SELECT count(*) FROM pg_tables WHERE schemaname LIKE 'heirloom%'"
  expect(Number((await postgres.run(tables))[0])).toBeGreaterThan(3)
})
