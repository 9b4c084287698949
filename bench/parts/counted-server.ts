import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { serve } from '../../packages/http/src/server/serve.ts'
import { serveRequests } from './child.ts'

/** A request to start the server of a data folder, or to report what was done since the last report. */
export type CountRequest =
  | { readonly kind: 'start'; readonly folder: string }
  | { readonly kind: 'report' }

/** A statement of an SQLite file, begin and commit included. */
export type CountedStatement = { readonly file: string; readonly text: string }

/**
 * The address; or the statements in their order, the bytes that the process wrote, and the processor time
 * of the thread of its event loop, in milliseconds.
 */
export type CountResponse =
  | { readonly url: string }
  | {
      readonly statements: readonly CountedStatement[]
      readonly written: number
      readonly processor: number
    }

// A server in this process, whose statements are counted as SQLite gets them.

let statements: CountedStatement[] = []
const files = new WeakMap<StatementSync, DatabaseSync>()

const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (...input) {
  const statement = prepare.apply(this, input)
  files.set(statement, this)
  return statement
}
for (const method of ['run', 'all', 'get', 'iterate'] as const) {
  const execute = StatementSync.prototype[method] as (...values: unknown[]) => unknown
  StatementSync.prototype[method] = function (this: StatementSync, ...values: unknown[]) {
    const file = basename(files.get(this)?.location() ?? '')
    statements.push({ file, text: this.sourceSQL })
    return execute.apply(this, values)
  } as never
}

/** Returns the bytes that this process has written, and the processor time of this thread. */
function soFar() {
  // Only Linux counts them.
  const io = existsSync('/proc/self/io') ? readFileSync('/proc/self/io', 'utf8') : ''
  const written = /^wchar: (\d+)/m.exec(io)?.[1] ?? 0
  const { user, system } = process.threadCpuUsage()
  return { written: Number(written), processor: (user + system) / 1000 }
}

let before = soFar()

function report(): CountResponse {
  const now = soFar()
  const counted = {
    statements,
    written: now.written - before.written,
    processor: now.processor - before.processor,
  }
  statements = []
  before = now
  return counted
}

async function start(folder: string): Promise<CountResponse> {
  const server = await serve(readConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' }))
  await server.ready
  return { url: server.url }
}

serveRequests<CountRequest>(async (request) =>
  request.kind === 'start' ? start(request.folder) : report(),
)
