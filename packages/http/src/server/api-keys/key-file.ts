import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import { tenantName } from '@heirloom/adapters/keys'
import { isFailure, wei } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { invalidVariable } from '../../config/environment.ts'
import { type ApiKey, keyDigest, type StoredKey } from './key-ring.ts'

/** The pattern of key names; `env-1` and so on are reserved for the keys of `API_KEYS`. */
export const namePattern = '^(?!env-)[a-z0-9][a-z0-9-]{0,39}$'

const Amount = Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' }))
const KeyFile = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          name: Type.String({ pattern: namePattern }),
          scope: Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]),
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
          perCall: Amount,
          perDay: Amount,
          tenant: Type.Optional(Type.String({ pattern: tenantName.source })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

/**
 * Parses the text of a key file.
 *
 * @throws `config/invalid`, which names the position and never a digest
 */
export function parseKeyFile(text: string): readonly StoredKey[] {
  const file = parsed(text)
  if (!Value.Check(KeyFile, file)) {
    const path = Value.Errors(KeyFile, file).First()?.path || 'the file'
    throw invalidVariable('API_KEYS_FILE', `is not a list of keys: ${path} is invalid`)
  }
  const keys = file.keys.map(keyOf)
  for (const member of ['name', 'sha256'] as const) refuseDuplicates(keys, member)
  keys.forEach(requireTenantScope)
  return keys
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidVariable('API_KEYS_FILE', 'is not JSON')
  }
}

type Row = Static<typeof KeyFile>['keys'][number]

function keyOf({ perCall, perDay, ...key }: Row, index: number): StoredKey {
  try {
    return {
      ...key,
      ...(perCall !== undefined && { perCall: wei(perCall) }),
      ...(perDay !== undefined && { perDay: wei(perDay) }),
    }
  } catch (error) {
    if (!isFailure(error)) throw error
    throw invalidVariable(
      'API_KEYS_FILE',
      `has a budget at /keys/${index} that is not an amount in wei`,
    )
  }
}

/**
 * Requires that the key of a tenant is no administrator, who sees and changes what is of all tenants.
 *
 * @throws `config/invalid`
 */
export function requireTenantScope({ name, scope, tenant }: ApiKey): void {
  if (tenant === undefined || scope !== 'admin') return
  const problem = `has the key ${name} with the scope admin for the tenant ${tenant}; an administrator belongs to no tenant`
  throw invalidVariable('API_KEYS_FILE', problem)
}

function refuseDuplicates(keys: readonly StoredKey[], member: 'name' | 'sha256'): void {
  const seen = new Set<string>()
  for (const key of keys) {
    if (seen.has(key[member])) {
      throw invalidVariable('API_KEYS_FILE', `has the ${member} of ${key.name} twice`)
    }
    seen.add(key[member])
  }
}

/** Returns the text of a key file. */
export function formatKeyFile(keys: readonly StoredKey[]): string {
  const rows = keys.map(({ name, scope, sha256, perCall, perDay, tenant }) => ({
    name,
    scope,
    sha256,
    perCall: perCall?.toString(),
    perDay: perDay?.toString(),
    tenant,
  }))
  return `${JSON.stringify({ keys: rows }, null, 2)}\n`
}

/** The random bytes of a key. */
const keyBytes = 32

/**
 * Reads the keys of a file; returns none if the file does not exist.
 *
 * @throws `config/invalid`
 */
export function readKeyFile(path: string): readonly StoredKey[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (Object(error).code === 'ENOENT') return []
    throw invalidVariable('API_KEYS_FILE', 'cannot be read')
  }
  return parseKeyFile(text)
}

/**
 * Adds a new key to a file, and returns the key itself, which is stored nowhere.
 *
 * @throws `config/invalid` if the name is taken or not allowed
 */
export function addKey(path: string, key: ApiKey): string {
  if (!new RegExp(namePattern).test(key.name)) {
    const problem =
      'takes names of 1 to 40 small letters, digits and hyphens that do not begin with env-'
    throw invalidVariable('API_KEYS_FILE', problem)
  }
  requireKeyOfTenant(key)
  const stored = readKeyFile(path)
  if (stored.some(({ name }) => name === key.name)) {
    throw invalidVariable('API_KEYS_FILE', `has a key ${key.name} already; revoke it first`)
  }
  const text = `hl_${randomBytes(keyBytes).toString('base64url')}`
  replaceFile(path, formatKeyFile([...stored, { ...key, sha256: keyDigest(text) }]))
  return text
}

/** Requires what a key of a tenant may be. @throws `config/invalid` */
export function requireKeyOfTenant(key: ApiKey): void {
  requireTenantScope(key)
  if (key.tenant === undefined || tenantName.test(key.tenant)) return
  const problem = 'takes only the name of a tenant, as heirloom tenants list shows it'
  throw invalidVariable('API_KEYS_FILE', problem)
}

/** Removes the keys of a tenant from a file, and returns their names. @throws `config/invalid` */
export function removeKeysOf(path: string, tenant: string): readonly string[] {
  const stored = readKeyFile(path)
  const left = stored.filter((key) => key.tenant !== tenant)
  if (left.length < stored.length) replaceFile(path, formatKeyFile(left))
  return stored.filter((key) => key.tenant === tenant).map(({ name }) => name)
}

/**
 * Removes a key from a file.
 *
 * @throws `config/invalid` if no key has that name
 */
export function removeKey(path: string, name: string): void {
  const stored = readKeyFile(path)
  const left = stored.filter((key) => key.name !== name)
  if (left.length === stored.length)
    throw invalidVariable('API_KEYS_FILE', 'has no key of that name')
  replaceFile(path, formatKeyFile(left))
}
