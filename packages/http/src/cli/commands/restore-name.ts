import { existsSync, statSync } from 'node:fs'
import { noVersion } from '../../client/named-memory.ts'
import type { Call } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { connectAsAccount, type proofOptions, type serverOptions } from '../connection/connect.ts'
import { type asWalletOption, openNames } from '../connection/open-names.ts'
import { rows } from '../terminal/rows.ts'
import { writeAtomically } from '../terminal/write-atomically.ts'

type RestoreCall = Call<
  'FROM' | 'TO',
  typeof serverOptions &
    typeof proofOptions &
    typeof asWalletOption & {
      readonly version: { readonly type: 'string'; readonly about: string }
      readonly force: { readonly type: 'boolean'; readonly about: string }
    }
>

/** Downloads a version of a name, to standard output or into a file that is not there yet. */
export async function restoreName(call: RestoreCall): Promise<number> {
  const { FROM: from, TO: file } = call.words
  const { version, force } = call.options
  if (file !== undefined && force !== true && existsSync(file)) {
    throw new UsageError(`${file} exists; add --force to replace it, or name another file.`)
  }
  const tokenOf = await findToken(call, readChosen(from, version))
  const { client } = await connectAsAccount(call)
  const memory = await client.download(tokenOf, { signal: call.signal })
  if (file === undefined) {
    await call.output.document(memory.document)
    return 0
  }
  await writeAtomically(file, memory.document)
  const { tokenId, contentHash, document } = memory
  const lines = rows([
    ['Written', `${file}, ${document.length} bytes`],
    ['Token', tokenId],
    ['Verified', contentHash],
  ])
  await call.output.result({ value: { tokenId, contentHash, file, bytes: document.length }, lines })
  return 0
}

type Chosen = { readonly name: string; readonly number: number | undefined }

/** Finds the token of a version of a name, the last one without a number. */
async function findToken(call: RestoreCall, { name, number }: Chosen): Promise<string> {
  const after = number === undefined ? undefined : `${number + 1}`
  const names = await openNames(call)
  const { items } = await names.versions(name, { after, limit: 1 })
  const [found] = items
  if (found !== undefined && (number ?? found.version) === found.version) return found.tokenId
  throw noVersion(name, number ?? 1)
}

/** Reads a name that may have the number of a version behind it, and the number that is given apart. */
function readChosen(from: string, version: string | undefined): Chosen {
  const [, line = from, behind] = /^(.+)@([1-9][0-9]{0,8})$/u.exec(from) ?? []
  if (version === undefined) return { name: line, number: behind ? Number(behind) : undefined }
  if (behind !== undefined) throw new UsageError('Give the number behind the @ or in --version.')
  if (/^[1-9][0-9]{0,8}$/.test(version)) return { name: from, number: Number(version) }
  throw new UsageError('--version must be a number from 1 on.')
}

/**
 * Returns whether a version of a name is restored: what has its options, or what is no place of
 * backups, which is a path that no name is, a folder, or a bucket.
 */
export function isName({
  words,
  options,
}: Pick<RestoreCall, 'options'> & {
  readonly words: { readonly FROM: string; readonly TO?: string | undefined }
}): boolean {
  if (words.TO !== undefined || options.version !== undefined || options['as-wallet']) return true
  const { FROM: from } = words
  const isFolder = statSync(from, { throwIfNoEntry: false })?.isDirectory() === true
  return !isFolder && !/^[./~]|:/.test(from)
}
