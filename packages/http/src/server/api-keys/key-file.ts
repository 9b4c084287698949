import { tenantName } from '@heirloom/adapters/keys'
import { isFailure, wei } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { invalidVariable } from '../../config/environment.ts'
import type { ApiKey } from './api-key.ts'

/** A stored key, with the SHA-256 digest of the key itself in hexadecimal. */
export type StoredKey = ApiKey & { readonly sha256: string }

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
