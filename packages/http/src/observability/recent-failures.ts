/** A warning or an error of the log. */
export type LoggedFailure = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly level: 'warn' | 'error' | 'fatal'
  readonly message: string
  /** The sentence of the failure behind it; absent where there is none. */
  readonly cause?: string
  /** The id of the request that it came from; absent where no request is known. */
  readonly requestId?: string
}

/** Keeps the last warnings and errors of the log. */
export type RecentFailures = {
  /** Notes a line of the log. */
  note(line: string): void
  /** Returns what is kept, the newest first. */
  list(): readonly LoggedFailure[]
}

/** The most characters of a text that is kept. */
const longestText = 1000

/** Returns a list of the last failures that were logged, at most `most`. */
export function recentFailures(most = 50): RecentFailures {
  const failures: LoggedFailure[] = []
  return {
    note: (line) => {
      const failure = readLine(line)
      if (failure === undefined) return
      failures.unshift(failure)
      failures.length = Math.min(failures.length, most)
    },
    list: () => [...failures],
  }
}

/** The fields that pino and the serializers of this server write. */
type Line = {
  readonly time?: unknown
  readonly level?: unknown
  readonly msg?: unknown
  readonly reqId?: unknown
  readonly err?: { readonly message?: unknown }
}

/** Reads a line of the log; `undefined` for one that is no JSON object. */
function readLine(line: string): LoggedFailure | undefined {
  const read = parse(line)
  if (read === undefined) return undefined
  const { time, level, msg, reqId, err } = read
  const cause = textOf(err?.message)
  const requestId = textOf(reqId)
  return {
    at: typeof time === 'number' ? time : 0,
    level: levelOf(Number(level)),
    message: textOf(msg) ?? '',
    ...(cause !== undefined && { cause }),
    ...(requestId !== undefined && { requestId }),
  }
}

function parse(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value.slice(0, longestText) : undefined

/** Returns the name of a level of pino. */
function levelOf(level: number): LoggedFailure['level'] {
  if (level >= 60) return 'fatal'
  return level >= 50 ? 'error' : 'warn'
}
