import { wei } from '@heirloom/core'
import { type ApiKey, type Scope, scopes } from '../../server/api-keys/key-ring.ts'
import { type Call, command, UsageError, withValue } from '../arguments/command.ts'
import { readAmount } from '../arguments/read-amounts.ts'
import type { Line } from '../terminal/output.ts'
import { amountText } from '../terminal/value-text.ts'

const options = {
  scope: {
    type: 'string',
    value: 'SCOPE',
    about: 'What the new key may do: read, write (the default) or admin.',
    choices: scopes,
  },
  'per-call': withValue(
    'AMOUNT',
    'The spending limit of the new key for one call, as in 0.01ether.',
  ),
  'per-day': withValue('AMOUNT', 'The spending limit of the new key for one day (UTC).'),
  tenant: withValue(
    'NAME',
    'The tenant that the new key acts for. Default: the wallet of the server.',
  ),
  file: {
    type: 'string',
    value: 'FILE',
    about: 'The file of the keys. Default: API_KEYS_FILE.',
    file: true,
  },
} as const

type KeyCall = Call<'ACTION' | 'NAME', typeof options>

/** Creates, lists and revokes API keys. */
export const apiKey = command({
  about: 'Creates, lists or revokes the API keys of a server.',
  more: [
    'A new key is printed once and stored nowhere; the file holds only its digest. A running server applies a change within a second.',
  ],
  words: [
    { name: 'ACTION', about: 'new, list or revoke.', choices: ['new', 'list', 'revoke'] },
    { name: 'NAME', about: 'The name of the key in logs and budgets.', optional: true },
  ],
  options,
  examples: {
    'Create a key that may spend 0.1 ether a day:':
      'heirloom api-key new shop --scope write --per-day 0.1ether --file keys.json',
    'List the keys:': 'heirloom api-key list --file keys.json',
    'Revoke a key:': 'heirloom api-key revoke shop --file keys.json',
  },
  isLocal: true,
  run: async (call) => {
    const actions = { new: create, list, revoke }
    await actions[call.words.ACTION as keyof typeof actions](call, fileOf(call))
  },
})

function fileOf({ options: { file }, terminal }: KeyCall): string {
  const path = file || terminal.env.API_KEYS_FILE
  if (path) return path
  throw new UsageError('No key file. Set API_KEYS_FILE, or pass --file FILE.')
}

function nameOf({ words: { NAME = '', ACTION } }: KeyCall): string {
  if (NAME !== '') return NAME
  throw new UsageError(`heirloom api-key ${ACTION} needs the NAME of the key.`)
}

async function create(call: KeyCall, path: string): Promise<void> {
  const { scope = 'write', tenant, 'per-call': perCall, 'per-day': perDay } = call.options
  const key: ApiKey = {
    name: nameOf(call),
    scope: scope as Scope,
    ...(perCall !== undefined && { perCall: wei(readAmount('--per-call', perCall)) }),
    ...(perDay !== undefined && { perDay: wei(readAmount('--per-day', perDay)) }),
    ...(tenant !== undefined && { tenant }),
  }
  const { addKey, requireKeyOfTenant } = await import('../../server/api-keys/key-file.ts')
  requireKeyOfTenant(key)
  if (tenant !== undefined) await requireTenantHere(call, tenant)
  const text = addKey(path, key)
  await call.output.result({ value: { ...key, key: text }, lines: [text] })
}

/** Requires a tenant for which the server acts: a key of any other would be as good as unknown. */
async function requireTenantHere({ terminal }: KeyCall, name: string): Promise<void> {
  const { readConfig } = await import('../../config/config.ts')
  const { withKeyStore } = await import('../../server/keys/open-keys.ts')
  const { resolve } = await import('node:path')
  const config = readConfig(terminal.env)
  const folder = resolve(config.dataDir)
  const stored = await withKeyStore({ config, folder }, (_, tenants) => tenants.read())
  const found = stored?.records.find((it) => it.name === name)
  if (found?.state === 'active') return
  const where = config.databaseUrl === undefined ? folder : 'the database'
  throw new UsageError(
    `There is no tenant ${name} in ${where}. heirloom tenants list shows them all, and heirloom tenants add makes one.`,
  )
}

async function list({ output }: KeyCall, path: string): Promise<void> {
  const { readKeyFile } = await import('../../server/api-keys/key-file.ts')
  const keys = readKeyFile(path).map(({ sha256: _, ...key }): ApiKey => key)
  await output.result({ value: keys, lines: keys.map(lineOf) })
}

function lineOf({ name, scope, perCall, perDay, tenant }: ApiKey): Line {
  const call = perCall === undefined ? 'any amount' : amountText(perCall)
  const day = perDay === undefined ? 'any amount' : amountText(perDay)
  const acts = tenant === undefined ? '' : `, for the tenant ${tenant}`
  return `${name}  ${scope}  ${call} a call, ${day} a day${acts}`
}

async function revoke(call: KeyCall, path: string): Promise<void> {
  const name = nameOf(call)
  const { removeKey } = await import('../../server/api-keys/key-file.ts')
  removeKey(path, name)
  await call.output.result({ value: { name }, lines: [`${name} is revoked.`] })
}
