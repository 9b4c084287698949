import { statSync } from 'node:fs'
import { shownValue } from '../../api/shown-value.ts'
import { noVersion } from '../../client/named-memory.ts'
import type { VersionInput } from '../../client/versions.ts'
import { type Call, type Options, UsageError } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { readInput, withoutMark } from '../terminal/files.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { proofOptions, serverOptions } from './connect.ts'
import { asWalletOption, type OpenNames, openNamesOfReads } from './open-names.ts'

/** The options of every command that reads a memory by its token or a private name. */
export const versionOptions = {
  ...asWalletOption,
  ...proofOptions,
  ...serverOptions,
} as const satisfies Options

/** The help of an argument that names a version. */
export const versionHelp =
  'a token, a name such as ada or ada@3, or a file of JSON such as ./memory.json'

/** The help of an argument that names a token. */
export const tokenHelp = 'The token, or a name such as ada or ada@3.'

/** Reads the arguments of a command that name versions. Each throws a `UsageError` that names it. */
export type VersionReader = {
  /**
   * Reads an argument that names a version: the number of a token, a private name, which may have the
   * number of a version behind it, or a file of JSON. Without the number a text with a dot is a file,
   * and so is one with a slash where such a file exists.
   */
  readonly version: (argument: string, text: string) => Promise<VersionInput>
  /**
   * Reads an argument that names a token: its number, or a private name, which may have the number of
   * a version behind it.
   */
  readonly token: (argument: string, text: string) => Promise<string>
  /** Returns the token of a version of a private name, of the last one without a number. */
  readonly find: (name: string, number: number | undefined) => Promise<string>
}

type ReadCall = Pick<Call<never, typeof versionOptions>, 'terminal' | 'options' | 'signal'>

/** Returns what reads versions for a command. Names are opened once, and only when one is there. */
export function versionReader(call: ReadCall): VersionReader {
  let opened: Promise<Pick<OpenNames, 'versions'>> | undefined
  const find: VersionReader['find'] = async (name, number) => {
    opened ??= openNamesOfReads(call)
    const after = number === undefined ? undefined : `${number + 1}`
    const { items } = await (await opened).versions(name, { after, limit: 1 })
    const [found] = items
    if (found !== undefined && (number ?? found.version) === found.version) return found.tokenId
    throw noVersion(name, number ?? 1)
  }
  return {
    find,
    version: async (argument, text) => {
      if (/^[0-9]/.test(text) && !/[./@]/.test(text)) return readTokenId(argument, text)
      const [, line, number] = /^([^./~].*)@([1-9][0-9]{0,8})$/u.exec(text) ?? []
      if (line !== undefined) return find(line, Number(number))
      if (isFile(text)) return readFile(call.terminal, text)
      return find(requireName(argument, text), undefined)
    },
    token: async (argument, text) => {
      const [, line = text, number] = /^(.+)@([1-9][0-9]{0,8})$/u.exec(text) ?? []
      if (/^[0-9-]*$/.test(text)) return readTokenId(argument, text)
      return number === undefined
        ? find(requireName(argument, line), undefined)
        : find(line, Number(number))
    },
  }
}

/** Refuses a name with the number of a version that is none. */
function requireName(argument: string, text: string): string {
  if (!text.includes('@')) return text
  throw new UsageError(
    `${argument} must have the number of a version behind the @, from 1 on, as in ada@3${shownValue(text)}.`,
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
