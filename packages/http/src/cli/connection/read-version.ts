import { statSync } from 'node:fs'
import { parseVersion, type VersionOf } from '../../api/named-version.ts'
import { shownValue } from '../../api/shown-value.ts'
import { findNamed, type NamedMemory } from '../../client/named-memory.ts'
import type { VersionInput } from '../../client/versions.ts'
import { type Call, type Options, UsageError } from '../arguments/command.ts'
import { readGrant, readTokenId } from '../arguments/read-values.ts'
import { readInput, withoutMark } from '../terminal/files.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { connectAsAccount, type grantOption, proofOptions, serverOptions } from './connect.ts'
import { asWalletOption, type OpenNames, openNamesOfReads } from './open-names.ts'

/** The options of every command that reads a memory by its token or a private name. */
export const versionOptions = {
  ...asWalletOption,
  ...proofOptions,
  ...serverOptions,
} as const satisfies Options

/** The help of an argument that names a version. */
export const versionHelp =
  'a token, a name such as ada, ada@3 or ada@2026-10-01, or a file of JSON such as ./memory.json'

/** The help of an argument that names a token. */
export const tokenHelp = 'The token, or a name such as ada, ada@3 or ada@2026-10-01.'

/** Reads the arguments of a command that name versions. Each throws a `UsageError` that names it. */
export type VersionReader = {
  /**
   * Reads an argument that names a version: the number of a token, a private name, which may have a
   * version behind it, or a file of JSON. Without a version a text with a dot is a file, and so is one
   * with a slash where such a file exists.
   */
  readonly version: (argument: string, text: string) => Promise<VersionInput>
  /**
   * Reads an argument that names a token: its number, or a private name, which may have a version
   * behind it.
   */
  readonly token: (argument: string, text: string) => Promise<string>
  /** Returns the token of a version of a private name, the last one by default. */
  readonly find: (name: string, version: VersionOf | undefined) => Promise<string>
}

type GrantedCall = Pick<
  Call<never, typeof serverOptions & typeof grantOption>,
  'terminal' | 'options' | 'signal'
>

type ReadCall = Pick<Call<never, typeof versionOptions>, 'terminal' | 'options' | 'signal'> &
  GrantedCall

/** A name that another account granted. */
export type GrantedName = {
  readonly name: string
  /** The version behind the name, the last one when absent. */
  readonly version: VersionOf | undefined
  /** Connects, and returns the calls of the name after a version that was seen. */
  readonly open: (seen?: string) => Promise<NamedMemory>
}

/**
 * Returns the calls of a name that another account granted, which is written with this account, as in
 * `0x…:ada@3`; `undefined` for a text without `--grant` that names none.
 *
 * @throws a `UsageError` for `--grant` with a bare name, and for such a name without `--grant`
 */
export function openGranted(
  call: GrantedCall,
  argument: string,
  text: string,
): GrantedName | undefined {
  const { grant } = call.options
  const [, owner, rest = ''] = /^(0x[0-9a-f]{40}):(.+)$/i.exec(text) ?? []
  if (owner === undefined && grant === undefined) return undefined
  if (grant === undefined) {
    throw new UsageError(
      `${argument} names a memory of another account, which download, log, outline, part, recall, remove, save and search-in take with --grant${shownValue(text)}.`,
    )
  }
  if (owner === undefined) {
    throw new UsageError(
      `${argument} must be a name with its owner, as in 0x…:ada, together with --grant${shownValue(text)}.`,
    )
  }
  const { name, version } = parseVersion(rest) ?? { name: requireName(argument, rest) }
  const open: GrantedName['open'] = async (seen = 'last') => {
    const { client } = await connectAsAccount({ ...call, options: urlOf(call) })
    return client.granted(readGrant('--grant', grant)).memory(`${owner}:${name}`, { seen })
  }
  return { name, version, open }
}

/** Returns the token of a version of a granted name; `undefined` as `openGranted` does. */
export async function tokenOfGranted(
  call: GrantedCall,
  argument: string,
  text: string,
): Promise<string | undefined> {
  const granted = openGranted(call, argument, text)
  if (granted === undefined) return undefined
  const { signal } = call
  return (await (await granted.open()).find(granted.version, { signal })).tokenId
}

const urlOf = ({ options: { url } }: GrantedCall) => (url === undefined ? {} : { url })

/** Returns what reads versions for a command. Names are opened once, and only when one is there. */
export function versionReader(call: ReadCall): VersionReader {
  let opened: Promise<Pick<OpenNames, 'versions'>> | undefined
  const find: VersionReader['find'] = async (name, version) => {
    opened ??= openNamesOfReads(call)
    const { versions } = await opened
    return (await findNamed(name, version, (page) => versions(name, page))).tokenId
  }
  return {
    find,
    version: async (argument, text) => {
      if (isTokenText(text)) return readTokenId(argument, text)
      const { name = '', version } = parseVersion(text) ?? {}
      if (version !== undefined && !/^[./~]/.test(name)) return find(name, version)
      if (isFile(text)) return readFile(call.terminal, text)
      return find(requireName(argument, text), undefined)
    },
    token: async (argument, text) => {
      if (/^[0-9-]*$/.test(text) && !isDay(text)) return readTokenId(argument, text)
      const granted = await tokenOfGranted(call, argument, text)
      if (granted !== undefined) return granted
      const { name, version } = parseVersion(text) ?? { name: requireName(argument, text) }
      return find(name, version)
    },
  }
}

/** Returns whether a text is the number of a token, or a wrong one. */
const isTokenText = (text: string): boolean =>
  /^[0-9]/.test(text) && !/[./@]/.test(text) && !isDay(text)

/** Returns whether a text looks like a day, which may be a name and is no number. */
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Refuses a name with something behind an @ that is no version. @throws a `UsageError` */
function requireName(argument: string, text: string): string {
  if (!text.includes('@')) return text
  throw new UsageError(
    `${argument} must have the number of a version or a day behind the @, as in ada@3 or ada@2026-10-01${shownValue(text)}.`,
  )
}

const isFile = (text: string): boolean =>
  text.includes('.') ||
  (text.includes('/') && statSync(text, { throwIfNoEntry: false })?.isFile() === true)

async function readFile(terminal: Pick<Terminal, 'stdin'>, file: string): Promise<VersionInput> {
  const bytes = new Uint8Array(await readInput(terminal, file))
  const { jsonProblem } = await import('@heirloom/adapters/formats')
  const problem = jsonProblem(bytes)
  if (problem !== undefined) throw new UsageError(`${file} is invalid: ${problem}.`)
  return { document: withoutMark(bytes) }
}
