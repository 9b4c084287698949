import { outermost, viewsOf } from './escape-view.ts'
import { isPlaceholder, marker } from './placeholder.ts'
import type { Secret } from './secret.ts'
import { secretName } from './secret-patterns.ts'
import { type JsonPath, type JsonScalar, stringOf, walkJson } from './walk-json.ts'

/** How often JSON may stand in a string of JSON. */
const deepestNesting = 8

/**
 * Returns what is secret in a JSON text by the name it has there: a password, or a value where
 * Letta keeps the secrets of an agent. Strings that hold JSON are looked into.
 */
export function namedSecrets(text: string, nesting = 0): readonly Secret[] {
  const found: Secret[] = []
  walkJson(text, {
    scalar: (scalar, path) => {
      if (scalar.kind === 'name') return
      const kind = kindOf(text, scalar, path)
      if (kind !== undefined) found.push(secretOf(text, scalar, kind))
      else if (nesting < deepestNesting) found.push(...nested(text, scalar, nesting))
    },
  })
  return found
}

function secretOf(text: string, { kind: scalar, start, end }: JsonScalar, kind: string): Secret {
  const value = scalar === 'string' ? stringOf(text, start, end) : text.slice(start, end)
  return { kind, text: value, parts: [[start, end]] }
}

/** Looks into a string that holds JSON. */
function nested(text: string, scalar: JsonScalar, nesting: number): readonly Secret[] {
  const { kind, start, end } = scalar
  if (kind !== 'string') return []
  const content = text.slice(start, end)
  const [, view] = viewsOf(content, 1)
  const inner = view?.text ?? content
  if (!/^\s*[{["]/.test(inner) || !isJson(inner)) return []
  return namedSecrets(inner, nesting + 1).map((secret) => ({
    ...secret,
    parts: secret.parts.map(([from, to]) =>
      view === undefined
        ? ([start + from, start + to] as const)
        : ([start + outermost(view, from), start + outermost(view, to)] as const),
    ),
  }))
}

/** Tells whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const isNamed = new RegExp(`(?:${secretName})$`, 'i')
const isPassword = /(?:password|passwd|passphrase)$/i

function kindOf(text: string, scalar: JsonScalar, path: JsonPath): string | undefined {
  const content = text.slice(scalar.start, scalar.end)
  if (isLettas(path)) return isKept(scalar, content) ? 'a secret of an agent' : undefined
  const name = path.at(-1)
  if (scalar.kind !== 'string' || typeof name !== 'string' || !isNamed.test(name)) return undefined
  return isMeant(name, stringOf(text, scalar.start, scalar.end)) ? 'a password or key' : undefined
}

function isMeant(name: string, value: string): boolean {
  if (value.length < 6 || value.length > 4096 || isPlaceholder(value)) return false
  // A sentence under such a name speaks of a password; only a phrase can be one.
  return !/\s/.test(value) || (isPassword.test(name) && !/pass(?:word|phrase)|[.?!]$/i.test(value))
}

function isKept({ kind }: JsonScalar, content: string): boolean {
  if (kind === 'literal') return /^-?\d/.test(content)
  return content.replaceAll(marker, '') !== ''
}

/** Where agent files keep what is secret; they are empty in a file as Letta writes it. */
const lettas = ['tool_exec_environment_variables', 'custom_headers', 'env', 'token']

function isLettas(path: JsonPath): boolean {
  const at = path.lastIndexOf('tool_exec_environment_variables')
  if (at !== -1) return isValue(path, at)
  const secrets = path.findIndex((name, nth) => name === 'secrets' && path[nth - 2] === 'agents')
  if (secrets !== -1) return isValue(path, secrets)
  const servers = path.indexOf('mcp_servers')
  return servers !== -1 && path.slice(servers + 2).some((name) => lettas.includes(String(name)))
}

/** The older files have a list of variables, each with a name, a description and its value. */
function isValue(path: JsonPath, at: number): boolean {
  const isListed = typeof path[at + 1] === 'number' && path.length > at + 2
  return !isListed || path.at(-1) === 'value'
}
