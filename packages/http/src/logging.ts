import { hostname } from 'node:os'
import { isFailure } from '@heirloom/core'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'

/** The levels that a log can be limited to. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

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
  const origin = { pid: process.pid, hostname: hostname() }
  server.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    // As the logger would write it; making one line out of many parts costs it a third of a request.
    const line = { level: information, time: Date.now(), ...origin, reqId: request.id }
    const reply = { status: statusCode, took: elapsedTime, msg: 'answered' }
    stream.lastLevel = information
    stream.write(`${JSON.stringify({ ...line, ...told(request), ...reply })}\n`)
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
  let made: FastifyBaseLogger | undefined
  const child = () => {
    made ??= log.child(...bound)
    return made
  }
  type Level = Exclude<keyof FastifyBaseLogger, 'level' | 'child'>
  const say =
    (level: Level) =>
    (...words: readonly unknown[]) =>
      (child()[level] as (...words: readonly unknown[]) => void)(...words)
  return {
    level: log.level,
    child: (...more) => child().child(...more),
    ...{ fatal: say('fatal'), error: say('error'), warn: say('warn'), info: say('info') },
    ...{ debug: say('debug'), trace: say('trace'), silent: say('silent') },
  }
}

const told = ({ method, url, ip }: FastifyRequest) => ({ method, path: pathOf(url), ip })
const pathOf = (url: string) => url.split('?', 1)[0]

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
