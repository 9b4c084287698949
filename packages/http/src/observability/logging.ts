import { hostname } from 'node:os'
import { isFailure } from '@heirloom/core'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import type { LogLevel } from '../config/log-level.ts'

/** Where log lines go and from which level on. */
export type Log = {
  readonly level: LogLevel
  /** Takes lines; before each it may be told the number of its level. */
  readonly stream: { write(line: string): void; lastLevel?: number }
}

const secretHeaders = ['authorization', 'cookie', 'x-wallet-signature'].flatMap((name) => [
  `headers["${name}"]`,
  `*.headers["${name}"]`,
])

/** Returns logging that tells of requests and errors, but never a key, a signature or a body. */
export function logging({ level, stream }: Log): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    stream,
    redact: ['body', '*.body', ...secretHeaders],
    serializers: { req: told, err: (error) => tellError(error) as never },
  }
}

/** Logs every request once it is answered, where the level has lines of information. */
export function logAnswered(server: FastifyInstance, { level, stream }: Log): void {
  if (!['info', 'debug', 'trace'].includes(level)) return
  const origin = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`
  server.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { method, path, ip } = told(request)
    const key = request.caller === undefined ? '' : `,"key":"${request.caller.name}"`
    // As the logger would write it; making one line out of many parts costs it a third of a request.
    const line = `{"level":${information},"time":${Date.now()},${origin},"reqId":"${request.id}"`
    const asked = `"method":"${method}","path":${JSON.stringify(path)},"ip":"${ip}"`
    // Whole microseconds: no clock here is better, and the other digits cost as much as the rest.
    const took = Math.round(1000 * elapsedTime) / 1000
    const reply = `"status":${statusCode},"took":${took}${key},"msg":"answered"}`
    stream.lastLevel = information
    stream.write(`${line},${asked},${reply}\n`)
    done()
  })
}

/** The number of the level of information. */
const information = 30

/** Returns the log of a request, which is made when something is said in it; most say nothing. */
export function lateChild(
  log: FastifyBaseLogger,
  ...bound: Parameters<FastifyBaseLogger['child']>
): FastifyBaseLogger {
  return new LateChild(log, bound)
}

type Say = Parameters<FastifyBaseLogger['info']>

// A class, for an object with a closure for each level is too much to make for every request.
class LateChild implements FastifyBaseLogger {
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

const told = ({ method, url, ip }: FastifyRequest) => ({ method, path: pathOf(url), ip })
const pathOf = (url: string) => {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

// Errors of clients quote request bodies and addresses with credentials in their messages and
// members, so only what is known to be harmless is kept.
function tellError(error: unknown, depth = 0): object | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  return {
    type: error.name,
    message: messageOf(error),
    stack: error.stack?.split('\n').filter((line) => /^ +at /.test(line)),
    cause: tellError(error.cause, depth + 1),
  }
}

function messageOf(error: Error): string | undefined {
  if (isFailure(error)) return error.message
  return 'shortMessage' in error ? String(error.shortMessage) : undefined
}
