import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../packages/http/src/api/operations/operations.ts'
import { type OperationName, routeOf } from '../../packages/http/src/api/operations/paths.ts'
import { type HostedServer, hostServer } from '../harness/process/server.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()

/** U+0000, half of a surrogate pair in UTF-8, and an emoji, in a query or a path. */
const encoded = ['a%00', '%00', '%ED%A0%80', '%F0%9F%90%98']
/** The same in JSON. */
const escaped = ['"a\\u0000"', '"\\ud800"', '"🐘"']

type Sent = { readonly method: string; readonly path: string; readonly body?: string }

const membersOf = (schema: unknown): readonly string[] =>
  Object.keys((schema as { readonly properties?: object } | undefined)?.properties ?? {})

/** Returns the requests of an operation with each odd text in each of its parameters. */
function requestsOf(name: OperationName): readonly Sent[] {
  const { method, path } = routeOf(name)
  const { query, body } = operations[name] as { readonly query?: object; readonly body?: object }
  const plain = path.replaceAll(/:\w+/g, '1')
  const inPath = path.includes(':') ? encoded.map((it) => path.replaceAll(/:\w+/g, it)) : []
  const inQuery = membersOf(query).flatMap((it) => encoded.map((odd) => `${plain}?${it}=${odd}`))
  const inBody = membersOf(body).flatMap((it) => escaped.map((odd) => `{"${it}":${odd}}`))
  const empty = method === 'GET' ? undefined : '{}'
  return [
    ...[...inPath, ...inQuery].map((it) => ({ method, path: it, body: empty })),
    ...inBody.map((it) => ({ method, path: plain, body: it })),
  ] as readonly Sent[]
}

const names = (Object.keys(operations) as readonly OperationName[]).filter(
  (it) => requestsOf(it).length > 0,
)

describe.each(['SQLite', 'PostgreSQL'])('on %s', (database) => {
  const home = mkdtempSync(join(tmpdir(), 'odd-characters-'))
  let server: HostedServer
  beforeAll(async () => {
    const place = database === 'SQLite' ? {} : { DATABASE_URL: postgres.url.href }
    server = await hostServer({ DATA_DIR: join(home, 'data'), LOG_LEVEL: 'silent', ...place })
  })
  afterAll(async () => {
    await server?.end()
    rmSync(home, { recursive: true })
  })

  test.each(names)('no odd character in a parameter is an outage: %s', async (name) => {
    for (const { method, path, body } of requestsOf(name)) {
      const leave = new AbortController()
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const request = { method, headers, signal: leave.signal, ...(body !== undefined && { body }) }
      const { status } = await fetch(`${server.url}${path}`, request)
      // A stream of events would last.
      leave.abort()
      expect([status < 500, path, body]).toEqual([true, path, body])
    }
  })
})
