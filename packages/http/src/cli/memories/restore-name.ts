import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type NameAndVersion, parseVersion } from '../../api/named-version.ts'
import { shownValue } from '../../api/shown-value.ts'
import { type Call, type NamedOptions, UsageError } from '../arguments/command.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { type flaggedOption, heldBackCode, holdsBack } from '../connection/hold-back.ts'
import { type versionOptions, versionReader } from '../connection/read-version.ts'
import { requireFree, writeAtomically } from '../terminal/files.ts'
import { rows } from '../terminal/value-text.ts'

/** The file that a backup ends with. */
const manifestName = 'manifest.json'

type RestoreCall = Call<
  'FROM' | 'TO',
  typeof versionOptions & typeof flaggedOption & NamedOptions<'force', 'version'>
>

/** Downloads a version of a name, to standard output or into a file that is not there yet. */
export async function restoreName(call: RestoreCall): Promise<number> {
  const { FROM: from, TO: file } = call.words
  const { version } = call.options
  if (file !== undefined && isPath(from)) refuseBackup(from, file)
  requireFree(call.options, file)
  const { name, version: chosen } = readChosen(from, version)
  const tokenOf = await versionReader(call)
    .find(name, chosen)
    .catch((error: unknown) => {
      const isGiven = version === undefined && call.options['as-wallet'] !== true
      if (isGiven && file !== undefined && isNowhere(error)) refuseBackup(from, file)
      throw error
    })
  const { client } = await connectAsAccount(call)
  const memory = await client.download(tokenOf, { signal: call.signal })
  if (await holdsBack(call, memory, 'Pass --flagged to write it.')) return heldBackCode
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

/** Returns whether a text is a path, which no name is. */
const isPath = (text: string): boolean =>
  /^[./~]/.test(text) || (text.includes(':') && parseVersion(text)?.version === undefined)

const isBackup = (folder: string): boolean => existsSync(join(folder, manifestName))

/** Refuses a folder with a backup where the name of a version is expected. @throws a `UsageError` */
function refuseBackup(from: string, file: string): void {
  if (!isBackup(from)) return
  throw new UsageError(
    `${from} is a backup; restore it with heirloom restore ${from} --into ${file}`,
  )
}

/** Returns whether a failure means that no such name was found. */
const isNowhere = (error: unknown): boolean =>
  ['name/not-found', 'name/malformed', 'client/unreachable'].includes(Object(error).code)

/** Reads a name that may have a version behind it, and the version that is given apart. */
function readChosen(from: string, version: string | undefined): NameAndVersion {
  const chosen = parseVersion(from)
  if (chosen === undefined) {
    throw new UsageError(
      `${from} names no version; they are numbered from 1 on, as in ada@1, and have a day, as in ada@2026-10-01.`,
    )
  }
  if (version === undefined) return chosen
  if (chosen.version !== undefined) {
    throw new UsageError('Give the version behind the @ or in --version.')
  }
  const apart = parseVersion(`${from}@${version}`)
  if (apart !== undefined) return apart
  throw new UsageError(
    `--version must be a number from 1 on, or a day such as 2026-10-01${shownValue(version)}. heirloom log ${from} lists the versions.`,
  )
}

/** The options of `restore` that only a backup has. */
const backupOptions = ['into', 'verify', 'as-writer', 'trial'] as const

/**
 * Returns whether a version of a name is restored: what has its options, or what is no place of
 * backups, which is a path that no name is, a folder with a backup, or a bucket, and has no options
 * of one.
 */
export function isName({
  words,
  options,
}: Pick<RestoreCall, 'options'> & {
  readonly words: { readonly FROM: string; readonly TO?: string | undefined }
}): boolean {
  if (words.TO !== undefined || options.version !== undefined || options['as-wallet']) return true
  if (backupOptions.some((name) => name in options)) return false
  const { FROM: from } = words
  return !isBackup(from) && !isPath(from)
}
