import type { Client } from '../../client/client.ts'
import type { VersionInput } from '../../client/versions.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { readInput } from '../terminal/read-input.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The help of an argument that names a version. */
export const versionHelp =
  'a token, a name such as ada or ada@3, or a file of JSON such as ./memory.json'

type Call = {
  readonly client: Pick<Client, 'memory'>
  readonly terminal: Pick<Terminal, 'stdin'>
  readonly signal: AbortSignal
}

/**
 * Reads an argument that names a version: the number of a token, a private name, which may have the
 * number of a version behind it, or a file of JSON. A name with a dot or a slash needs the number, or
 * it is a file.
 *
 * @throws a `UsageError` that names the argument
 */
export async function readVersion(call: Call, name: string, text: string): Promise<VersionInput> {
  if (/^[0-9]/.test(text) && !/[./@]/.test(text)) return readTokenId(name, text)
  const [, line, number] = /^([^./~].*)@([1-9][0-9]{0,8})$/u.exec(text) ?? []
  if (line !== undefined) return findVersion(call, line, Number(number))
  return /[./]/.test(text) ? readFile(call, text) : findVersion(call, text)
}

async function findVersion(
  { client, signal }: Omit<Call, 'terminal'>,
  name: string,
  number?: number,
): Promise<string> {
  return (await client.memory(name).find(number, { signal })).tokenId
}

/** The help of an argument that names a token. */
export const tokenHelp = 'The token, or a name such as ada or ada@3.'

/**
 * Reads an argument that names a token: its number, or a private name, which may have the number of a
 * version behind it.
 *
 * @throws a `UsageError` that names the argument
 */
export async function readNamedToken(
  call: Omit<Call, 'terminal'>,
  name: string,
  text: string,
): Promise<string> {
  const [, line = text, number] = /^(.+)@([1-9][0-9]{0,8})$/u.exec(text) ?? []
  if (/^[0-9-]*$/.test(text) || text === '') return readTokenId(name, text)
  return findVersion(call, line, number === undefined ? undefined : Number(number))
}

async function readFile({ terminal }: Call, file: string): Promise<VersionInput> {
  const document = new Uint8Array(await readInput(terminal, file))
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document))
  } catch {
    throw new UsageError(`${file} must be a file of JSON in UTF-8.`)
  }
  return { document }
}
