/** The words of an error of another program that are no secret, for a log or an operator. */
export type ErrorWords = {
  /** The code of the operating system, the SQLSTATE of PostgreSQL, or the code of a JSON-RPC error. */
  readonly code?: string | number
  readonly errno?: number
  readonly syscall?: string
  /** The severity that PostgreSQL gave. */
  readonly severity?: string
  /** The status of an HTTP response. */
  readonly status?: number
  readonly message?: string
}

/**
 * Returns the words of an error. The messages of most libraries quote URLs with passwords, bodies and
 * headers, so a message is repeated only where its author quotes none: the operating system, SQLite,
 * PostgreSQL (but for errors that quote a value), the connection to it, an object store and viem, of
 * which the node's own words lose what could be a secret.
 */
export function errorWords(error: unknown): ErrorWords {
  const { code, errno, syscall, severity, status } = Object(error)
  const words = {
    code: isWord(code) || Number.isInteger(code) ? code : undefined,
    errno: Number.isInteger(errno) ? errno : undefined,
    syscall: isWord(syscall) ? syscall : undefined,
    severity: isWord(severity) ? severity : undefined,
    status: Number.isInteger(status) ? status : undefined,
    message: messageOf(error),
  }
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined))
}

const isWord = (text: unknown): boolean => typeof text === 'string' && /^[\w/.-]{1,64}$/.test(text)

function messageOf(error: unknown): string | undefined {
  const { message, shortMessage, details, errors } = Object(error)
  // Of several addresses of one host each failed; the first one tells why.
  if (Array.isArray(errors) && errors.length > 0) return messageOf(errors[0])
  if (typeof shortMessage === 'string') return wordsOfNode(shortMessage, details)
  return isHarmless(error) && message !== '' ? String(message) : undefined
}

/** Returns what viem says, and after it what the node said. */
function wordsOfNode(shortMessage: string, details: unknown): string {
  const said = typeof details === 'string' ? withoutSecrets(details) : ''
  return shortMessage.includes(said) ? shortMessage : `${shortMessage} ${said}`
}

function isHarmless(error: unknown): boolean {
  const { name, code, syscall, severity } = Object(error)
  if (name === 'ObjectStoreError' || isConnectionError(error)) return true
  if (severity !== undefined) return isSqlState(code) && !/^2[23]/.test(code)
  return syscall !== undefined || code === 'ERR_SQLITE_ERROR'
}

const isSqlState = (code: unknown): code is string =>
  typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)

/** The longest text of a node that is repeated, in characters. */
const longest = 300

/** Returns the words of a node as one line without URLs, and without what could be a key. */
function withoutSecrets(text: string): string {
  return text
    .slice(0, 4 * longest)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '(a URL)')
    .replaceAll(/[\w+/=-]{20,}/g, (word) => (isPublic(word) ? word : '(…)'))
    .slice(0, longest)
    .trim()
}

// An address or a hash, or a word such as a method's name.
const isPublic = (word: string): boolean =>
  /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i.test(word) || /^[A-Za-z_-]+$/.test(word)

const connectionErrors = new WeakSet<object>()

/** Remembers that an error is one of the connection to a database: its library gives it no class. */
export function noteConnectionError(error: unknown): void {
  if (typeof error === 'object' && error !== null) connectionErrors.add(error)
}

const isConnectionError = (error: unknown): boolean => connectionErrors.has(Object(error))

/** The classes of SQLSTATE of a database that is down, full, read-only or refuses its user. */
const outageClasses: ReadonlySet<string> = new Set(['08', '25', '28', '3D', '53', '57', '58', 'XX'])

/** The result codes of SQLite for a file that cannot be read or written. */
const outageResults: ReadonlySet<number> = new Set([5, 8, 10, 11, 13, 14, 26])

/**
 * Returns why a database could not be used, in a word or a few, if an error or one of its causes says
 * that; `undefined` for an error of a statement, which would fail on any database.
 */
export function databaseOutage(error: unknown): string | undefined {
  const outage = [...causes(error)].find(isDatabaseOutage)
  if (outage === undefined) return undefined
  const { code, errstr } = outage as { readonly [name: string]: unknown }
  const words = code === 'ERR_SQLITE_ERROR' ? errstr : code
  return typeof words === 'string' ? words : 'the connection was lost'
}

function isDatabaseOutage(error: object): boolean {
  const { code, severity, errcode } = error as { readonly [name: string]: unknown }
  if (code === 'ERR_SQLITE_ERROR') return outageResults.has(Number(errcode) & 0xff)
  if (severity !== undefined) return isSqlState(code) && outageClasses.has(code.slice(0, 2))
  return isConnectionError(error)
}

/** Yields an error and its chain of causes, the outermost first. */
export function* causes(error: unknown): Generator<object> {
  for (let it = error; typeof it === 'object' && it !== null; it = (it as Error).cause) yield it
}

/** Returns what an error says of its reason; of several errors at once, what the first one says. */
export function reasonOf(error: unknown): string {
  const { errors, message } = Object(error) as {
    readonly errors?: readonly unknown[]
    readonly message?: unknown
  }
  const [first] = errors ?? []
  if (first !== undefined) return reasonOf(first)
  return typeof message === 'string' && message !== '' ? message : String(error)
}
