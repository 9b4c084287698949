import { wei } from '@heirloom/core'
import { type ApiKey, type Scope, scopes } from '../../server/api-keys/api-key.ts'
import { amountText, readAmount } from '../arguments/read-amount.ts'
import { type Call, command } from '../arguments/command.ts'
import type { Line } from '../terminal/output.ts'
import { UsageError } from '../arguments/usage-error.ts'

const options = {
  scope: {
    type: 'string',
    value: 'SCOPE',
    about: 'What a new key may do: read, write (the default) or admin.',
    choices: scopes,
  },
  'per-call': {
    type: 'string',
    value: 'AMOUNT',
    about: 'The most that one of its calls may cost, as in 0.01ether.',
  },
  'per-day': {
    type: 'string',
    value: 'AMOUNT',
    about: 'The most that its calls of a day (UTC) may cost.',
  },
  file: {
    type: 'string',
    value: 'FILE',
    about: 'The file; API_KEYS_FILE when absent.',
    file: true,
  },
} as const

type KeyCall = Call<'ACTION' | 'NAME', typeof options>

/** Makes, lists and revokes API keys. */
export const apiKey = command({
  about: 'Makes, lists or revokes the API keys in the file of API_KEYS_FILE.',
  more: [
    'A new key is printed once and kept nowhere: the file has its digest. A server that runs sees the change within a second.',
  ],
  words: [
    { name: 'ACTION', about: 'new, list or revoke.', choices: ['new', 'list', 'revoke'] },
    { name: 'NAME', about: 'What the key is called in logs and budgets.', optional: true },
  ],
  options,
  examples: [
    {
      line: 'heirloom api-key new shop --scope write --per-day 0.1ether --file keys.json',
      about: 'A key that may spend a tenth of an ether in a day:',
    },
    { line: 'heirloom api-key list --file keys.json', about: 'Which there are:' },
    {
      line: 'heirloom api-key revoke shop --file keys.json',
      about: 'That one opens nothing more:',
    },
  ],
  isLocal: true,
  run: async (call) => {
    const acts = { new: make, list, revoke }
    await acts[call.words.ACTION as keyof typeof acts](call, fileOf(call))
    return 0
  },
})

function fileOf({ options: { file }, terminal }: KeyCall): string {
  const path = file || terminal.env.API_KEYS_FILE
  if (path) return path
  throw new UsageError('API_KEYS_FILE or --file must name the file of the keys.')
}

function nameOf({ words: { NAME = '', ACTION } }: KeyCall): string {
  if (NAME !== '') return NAME
  throw new UsageError(`The command api-key ${ACTION} takes the name of the key.`)
}

async function make(call: KeyCall, path: string): Promise<void> {
  const { scope = 'write', 'per-call': perCall, 'per-day': perDay } = call.options
  const key: ApiKey = {
    ...{ name: nameOf(call), scope: scope as Scope },
    ...(perCall !== undefined && { perCall: wei(readAmount('--per-call', perCall)) }),
    ...(perDay !== undefined && { perDay: wei(readAmount('--per-day', perDay)) }),
  }
  const { addKey } = await import('../../server/api-keys/edit-keys.ts')
  const text = addKey(path, key)
  await call.output.answer({ value: { ...key, key: text }, lines: [text] })
}

async function list({ output }: KeyCall, path: string): Promise<void> {
  const { keysIn } = await import('../../server/api-keys/edit-keys.ts')
  const keys = keysIn(path).map(({ sha256: _, ...key }): ApiKey => key)
  await output.answer({ value: keys, lines: keys.map(lineOf) })
}

function lineOf({ name, scope, perCall, perDay }: ApiKey): Line {
  const call = perCall === undefined ? 'any amount' : amountText(perCall)
  const day = perDay === undefined ? 'any amount' : amountText(perDay)
  return `${name}  ${scope}  ${call} a call, ${day} a day`
}

async function revoke(call: KeyCall, path: string): Promise<void> {
  const name = nameOf(call)
  const { removeKey } = await import('../../server/api-keys/edit-keys.ts')
  removeKey(path, name)
  await call.output.answer({ value: { name }, lines: [`${name} is revoked.`] })
}
