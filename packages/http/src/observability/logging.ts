import { hostname } from 'node:os'
import { errorWords } from '@heirloom/adapters/internal/platform'
import { isFailure } from '@heirloom/core'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import type { LogLevel } from '../config/read-observability.ts'

/** The destination and the level of the log. */
export type Log = {
  readonly level: LogLevel
  /** The stream of lines; `lastLevel` is set to the level of each line before it is written. */
  readonly stream: { write(line: string): void; lastLevel?: number }
}

/** Names the headers that may hold a key, a proof, a payment or the salt of a memory, in any case. */
const secretHeader = /auth|cookie|key|password|payment|salt|secret|session|signature|token/i

const isShown = (path: readonly string[]): boolean =>
  path.at(-2) === 'headers' && !secretHeader.test(path.at(-1) ?? '')

/** Returns the options of a logger that never writes a key, a signature or a body. */
export function logging({ level, stream }: Log): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    stream,
    redact: {
      paths: ['body', '*.body', 'headers.*', '*.headers.*'],
      censor: (value, path) => (isShown(path) ? value : '[Redacted]'),
    },
    serializers: { req: requestFields, err: (error) => errorFields(error) as never },
  }
}

/** Logs every request once it is answered, if the level includes `info`. */
export function logResponses(server: FastifyInstance, { level, stream }: Log): void {
  if (!['info', 'debug', 'trace'].includes(level)) return
  const origin = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`
  server.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { method, path, ip } = requestFields(request)
    const key = request.caller === undefined ? '' : `,"key":"${request.caller.name}"`
    // In the logger's format, but by hand: the logger would take a third of the time of a request.
    const line = `{"level":${infoLevel},"time":${Date.now()},${origin},"reqId":"${request.id}"`
    const received = `"method":"${method}","path":${JSON.stringify(path)},"ip":"${ip}"`
    // Whole microseconds: the clock is not finer, and more digits would double the cost of the line.
    const took = Math.round(1000 * elapsedTime) / 1000
    const reply = `"status":${statusCode},"took":${took}${key},"msg":"answered"}`
    stream.lastLevel = infoLevel
    stream.write(`${line},${received},${reply}\n`)
    done()
  })
}

/** The number of the level `info`. */
const infoLevel = 30

/** Returns a child logger that is created at its first use: most requests log nothing. */
export function lazyChildLogger(
  log: FastifyBaseLogger,
  ...bound: Parameters<FastifyBaseLogger['child']>
): FastifyBaseLogger {
  return new LazyChildLogger(log, bound)
}

type Say = Parameters<FastifyBaseLogger['info']>

// A class, because an object with a closure for each level would cost too much for every request.
class LazyChildLogger implements FastifyBaseLogger {
  readonly #log: FastifyBaseLogger
  readonly #bound: Parameters<FastifyBaseLogger['child']>
  #made: FastifyBaseLogger | undefined

  constructor(log: FastifyBaseLogger, bound: Parameters<FastifyBaseLogger['child']>) {
    this.#log = log
    this.#bound = bound
  }

  get #child(): FastifyBaseLogger {
    this.#made ??= this.#log.child(...this.#bound)
    return this.#made
  }

  get level() {
    return this.#log.level
  }

  child(...bound: Parameters<FastifyBaseLogger['child']>) {
    return this.#child.child(...bound)
  }

  fatal(...words: Say) {
    this.#child.fatal(...words)
  }

  error(...words: Say) {
    this.#child.error(...words)
  }

  warn(...words: Say) {
    this.#child.warn(...words)
  }

  info(...words: Say) {
    this.#child.info(...words)
  }

  debug(...words: Say) {
    this.#child.debug(...words)
  }

  trace(...words: Say) {
    this.#child.trace(...words)
  }

  silent(...words: Say) {
    this.#child.silent(...words)
  }
}

const requestFields = ({ method, url, ip }: FastifyRequest) => ({ method, path: pathOf(url), ip })
const pathOf = (url: string) => {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  // A name is private, however its path is spelt.
  return privatePath.test(decodePath(decodePath(path))) ? '/api/names/*' : path
}

// A proxy may put a path before it, and a client may encode it twice.
const privatePath = /\/names\/+./i

/** Returns a path without the encoding of what ASCII prints, which says nothing. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  // One letter at a time: a path that is not UTF-8 is logged, too.
  return path.replace(/%([2-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number(`0x${hex}`)))
}

// Errors of clients quote request bodies and addresses with credentials in their messages and
// members, so only harmless words are logged.
function errorFields(error: unknown, depth = 0): object | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  return {
    type: error.name,
    ...(isFailure(error) ? { message: error.message } : errorWords(error)),
    stack: error.stack?.split('\n').filter((line) => /^ +at /.test(line)),
    cause: errorFields(error.cause, depth + 1),
  }
}
