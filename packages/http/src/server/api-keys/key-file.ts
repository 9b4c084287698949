import { isFailure, wei } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { invalid } from '../../config/environment.ts'
import type { ApiKey } from './api-key.ts'

/** A key as it is kept: by the hexadecimal digits of its digest, which opens nothing. */
export type KeptKey = ApiKey & { readonly sha256: string }

/** The names that keys may have; `env-1` and so on are those of `API_KEYS`. */
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
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

/**
 * Reads the text of a file of keys.
 *
 * @throws `config/invalid`, which names the place and never a digest
 */
export function readKeys(text: string): readonly KeptKey[] {
  const file = parsed(text)
  if (!Value.Check(KeyFile, file)) {
    const path = Value.Errors(KeyFile, file).First()?.path || 'the file'
    throw invalid('API_KEYS_FILE', `holds what is no list of keys: ${path} is not as it must be`)
  }
  const keys = file.keys.map(keyOf)
  for (const part of ['name', 'sha256'] as const) refuseTwice(keys, part)
  return keys
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('API_KEYS_FILE', 'is not JSON')
  }
}

type Row = Static<typeof KeyFile>['keys'][number]

function keyOf({ perCall, perDay, ...key }: Row, place: number): KeptKey {
  try {
    return {
      ...key,
      ...(perCall !== undefined && { perCall: wei(perCall) }),
      ...(perDay !== undefined && { perDay: wei(perDay) }),
    }
  } catch (error) {
    if (!isFailure(error)) throw error
    throw invalid('API_KEYS_FILE', `has a budget at /keys/${place} that is no amount of wei`)
  }
}

function refuseTwice(keys: readonly KeptKey[], part: 'name' | 'sha256'): void {
  const seen = new Set<string>()
  for (const key of keys) {
    if (seen.has(key[part])) {
      throw invalid('API_KEYS_FILE', `has the ${part} of ${key.name} twice`)
    }
    seen.add(key[part])
  }
}

/** Writes the text of a file of keys. */
export function keysText(keys: readonly KeptKey[]): string {
  const rows = keys.map(({ name, scope, sha256, perCall, perDay }) => ({
    ...{ name, scope, sha256, perCall: perCall?.toString(), perDay: perDay?.toString() },
  }))
  return `${JSON.stringify({ keys: rows }, null, 2)}\n`
}
