import { existsSync } from 'node:fs'
import type { Hex } from '@heirloom/core'
import { readAgentKey } from '../../config/read-keys.ts'
import { type Call, command, type Options, UsageError } from '../arguments/command.ts'
import {
  createKeystore,
  existsError,
  findKeystore,
  keystorePath,
  parseKeystore,
  readPassword,
} from '../connection/keystore.ts'
import { readInput } from '../terminal/files.ts'
import type { CommandResult } from '../terminal/output.ts'
import { promptChoice, promptNewPassword, promptSecret } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'
import { rows } from '../terminal/value-text.ts'

const options = {
  new: { type: 'boolean', about: 'Make a new private key.' },
  import: {
    type: 'string',
    value: 'FILE',
    about: 'Use the private key in FILE, hexadecimal; - for standard input.',
    file: true,
  },
} as const satisfies Options

type LoginCall = Call<never, typeof options>

/** Makes a keystore. */
export const login = command({
  about: 'Sets up your own wallet: its private key in a keystore, encrypted with a password.',
  more: [
    'On a terminal it asks for all it needs. The keystore is ~/.config/heirloom/keystore.json, or the file of HEIRLOOM_KEYSTORE; every command finds it there, and asks for the password or reads it from HEIRLOOM_KEYSTORE_PASSWORD or HEIRLOOM_KEYSTORE_PASSWORD_FILE.',
    'A keystore that exists is shown, and never replaced. Nobody can restore a lost file or password.',
  ],
  words: [],
  options,
  examples: {
    'Set up a wallet, or show the one that is set up:': 'heirloom login',
    'Make a new key without a terminal:':
      'HEIRLOOM_KEYSTORE_PASSWORD_FILE=password heirloom login --new',
    'Encrypt a key that you have:':
      'HEIRLOOM_KEYSTORE_PASSWORD_FILE=password heirloom login --import ada.key',
  },
  run: async (call) => {
    const path = keystorePath(call.terminal.env)
    const { new: isNew, import: file } = call.options
    if (isNew && file !== undefined) throw new UsageError('--new and --import exclude each other.')
    const isRequested = isNew || file !== undefined
    if (existsSync(path)) {
      if (isRequested) throw existsError(path)
      await call.output.result(await describe(call, path))
      return 0
    }
    await call.output.result(await create(call, path))
  },
})

/** Describes a keystore that is set up. */
async function describe({ terminal: { env } }: LoginCall, path: string): Promise<CommandResult> {
  const found = findKeystore(env)
  const { address } = Object(found && parseKeystore(found))
  const isAddress = /^(0x)?[0-9a-f]{40}$/i.test(`${address}`)
  const { getAddress } = await import('viem')
  const shown = isAddress ? getAddress(`0x${`${address}`.replace(/^0x/i, '')}`) : null
  const lines = rows([
    ['Wallet', shown ?? 'in the keystore, which does not name its address'],
    ['Keystore', path],
  ])
  return {
    value: { address: shown, keystore: path, isNew: false },
    lines: [...lines, ...others(env)],
  }
}

async function create(call: LoginCall, path: string): Promise<CommandResult> {
  const { terminal, options: given } = call
  const key = await readKey(call)
  const password = readPassword(terminal) ?? (await promptNewPassword(terminal, shortest))
  if (password.length < shortest) {
    throw new UsageError(`The password must have at least ${shortest} characters.`)
  }
  const { privateKeyToAccount } = await import('viem/accounts')
  const { address } = privateKeyToAccount(key)
  await createKeystore({ path, key, address, password })
  const lines = rows([
    ['Wallet', address],
    ['Keystore', path],
  ])
  const advice =
    'Keep a copy of this file, and the password. With --as-wallet commands sign with this wallet.'
  const value = { address, keystore: path, isNew: given.import === undefined }
  return { value, lines: [...lines, '', advice, ...others(terminal.env)] }
}

const shortest = 8

/** Returns what hides the keystore, if anything does. */
const others = ({ HEIRLOOM_PRIVATE_KEY: key }: LoginCall['terminal']['env']) =>
  key ? ['HEIRLOOM_PRIVATE_KEY is set, and is used instead: unset it.'] : []

/** Returns a new key, or that of a file or of a person. */
async function readKey({ terminal, output, options: given }: LoginCall): Promise<Hex> {
  const { new: isNew, import: file } = given
  if (isNew) return newKey()
  if (file !== undefined) {
    return readAgentKey(
      file === '-' ? nameless : `The key in ${file}`,
      Buffer.from(await readInput(terminal, file)).toString(),
    )
  }
  if (output.json || !canPrompt(terminal)) {
    throw new UsageError('No terminal to ask on. Pass --new, or --import FILE with your key.')
  }
  const choice = await promptChoice(terminal, {
    question: 'Which key should your wallet have?',
    choices: { new: 'A new one', import: 'One that I have' },
  })
  return choice === 'new' ? newKey() : parseKey(await promptSecret(terminal, 'Your private key'))
}

/** The name of a key that is in no file. */
const nameless = 'The private key'

const parseKey = (text: string): Hex => readAgentKey(nameless, text)

async function newKey(): Promise<Hex> {
  const { generatePrivateKey } = await import('viem/accounts')
  return generatePrivateKey()
}
