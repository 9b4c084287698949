import { escapeViews, toOutermost } from './escape-view.ts'
import { secretName } from './name-patterns.ts'
import { isPlaceholder, redactionMarker } from './pattern.ts'
import type { Secret } from './secret.ts'
import { type JsonPath, type JsonScalar, stringOf, walkJson } from './walk-json.ts'

/** The most levels of JSON inside strings of JSON. */
const deepestNesting = 8

/**
 * Finds the secrets in a JSON text by the names of members: passwords, and the values where Letta
 * stores the secrets of an agent. Strings that hold JSON are searched too.
 */
export function findNamedSecrets(text: string, nesting = 0): readonly Secret[] {
  const found: Secret[] = []
  walkJson(text, {
    scalar: (scalar, path) => {
      if (scalar.kind === 'name') return
      const kind = kindOf(text, scalar, path)
      if (kind !== undefined) found.push(secretOf(text, scalar, kind))
      else if (nesting < deepestNesting) found.push(...findInString(text, scalar, nesting))
    },
  })
  return found
}

function secretOf(text: string, { kind: scalar, start, end }: JsonScalar, kind: string): Secret {
  const value = scalar === 'string' ? stringOf(text, start, end) : text.slice(start, end)
  return { kind, text: value, parts: [[start, end]] }
}

/** Finds the named secrets of JSON in a string of JSON. */
function findInString(text: string, scalar: JsonScalar, nesting: number): readonly Secret[] {
  const { kind, start, end } = scalar
  if (kind !== 'string') return []
  const content = text.slice(start, end)
  const [, view] = escapeViews(content, 1)
  const inner = view?.text ?? content
  if (!/^\s*[{["]/.test(inner) || !isJson(inner)) return []
  return findNamedSecrets(inner, nesting + 1).map((secret) => ({
    ...secret,
    parts: secret.parts.map(([from, to]) =>
      view === undefined
        ? ([start + from, start + to] as const)
        : ([start + toOutermost(view, from), start + toOutermost(view, to)] as const),
    ),
  }))
}

/** Returns whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const secretMember = new RegExp(`(?:${secretName})$`, 'i')
const passwordMember = /(?:password|passwd|passphrase)$/i

function kindOf(text: string, scalar: JsonScalar, path: JsonPath): string | undefined {
  const content = text.slice(scalar.start, scalar.end)
  if (isLettaSecret(path)) return hasValue(scalar, content) ? 'a secret of an agent' : undefined
  const name = path.at(-1)
  if (scalar.kind !== 'string' || typeof name !== 'string' || !secretMember.test(name))
    return undefined
  return looksSecret(name, stringOf(text, scalar.start, scalar.end))
    ? 'a password or key'
    : undefined
}

function looksSecret(name: string, value: string): boolean {
  if (value.length < 6 || value.length > 4096 || isPlaceholder(value)) return false
  // Text with spaces is a sentence about a password, unless it may be a passphrase.
  return (
    !/\s/.test(value) || (passwordMember.test(name) && !/pass(?:word|phrase)|[.?!]$/i.test(value))
  )
}

function hasValue({ kind }: JsonScalar, content: string): boolean {
  if (kind === 'literal') return /^-?\d/.test(content)
  return content.replaceAll(redactionMarker, '') !== ''
}

/** The members of agent files that hold secrets; Letta writes them empty. */
const lettaSecrets = ['tool_exec_environment_variables', 'custom_headers', 'env', 'token']

function isLettaSecret(path: JsonPath): boolean {
  const at = path.lastIndexOf('tool_exec_environment_variables')
  if (at !== -1) return isValue(path, at)
  const secrets = path.findIndex(
    (name, index) => name === 'secrets' && path[index - 2] === 'agents',
  )
  if (secrets !== -1) return isValue(path, secrets)
  // ElizaOS has the secrets of a character in its settings.
  const settings = path.findIndex(
    (name, index) => name === 'secrets' && path[index - 1] === 'settings',
  )
  if (settings !== -1) return isValue(path, settings)
  const servers = path.indexOf('mcp_servers')
  return (
    servers !== -1 && path.slice(servers + 2).some((name) => lettaSecrets.includes(String(name)))
  )
}

/** Older files have a list of variables; only its `value` members are secret. */
function isValue(path: JsonPath, at: number): boolean {
  const isListed = typeof path[at + 1] === 'number' && path.length > at + 2
  return !isListed || path.at(-1) === 'value'
}
