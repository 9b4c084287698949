import {
  documentOf,
  Failure,
  isFailure,
  isObject,
  type JsonText,
  parseJson,
  readMembers,
} from '@heirloom/core'
import { type Detected, detectAndRead } from './detect-format.ts'
import { type FormatName, formatNames } from './format-name.ts'
import {
  type ImportedMemory,
  type ImportOptions,
  type ImportReport,
  type MetadataInput,
  metadataNames,
} from './import-report.ts'
import type { ImportedFrom } from './imported-from.ts'
import {
  canHold,
  type FolderFormatName,
  folderImporters,
  isFolderFormat,
} from './importers/folder-importers.ts'
import {
  isJsonObject,
  type JsonFile,
  memberOf,
  readJsonFile,
  requireSingleFile,
  textOf,
  tooDeep,
} from './importers/json-file.ts'
import { type JsonFormatName, jsonImporters } from './importers/json-importers.ts'
import { handleSecrets } from './secrets/secrets.ts'
import { checkInputLimits, type SourceFile, splitOddNames, throwMalformed } from './source-file.ts'

/**
 * Imports files as a memory, and reports what it includes and leaves out. The texts of the files
 * are copied unchanged, so that `exportMemory` can restore them. A file with a name that no folder
 * may have on some system is left out.
 *
 * @throws `import/unknown-format`, `import/malformed`, `import/secrets-found`
 */
export function importMemory(all: readonly SourceFile[], options: ImportOptions): ImportedMemory {
  const { files, left } = splitOddNames(all)
  checkInputLimits(files)
  const { format, file }: Detected = options.format === undefined ? detectAndRead(files) : options
  if (format === undefined) {
    throw new Failure('import/unknown-format', { known: formatNames.join(', ') })
  }
  try {
    const parsed = parseAs({ format, file }, files, options.metadata ?? {})
    const original = new TextDecoder().decode(parsed.document)
    // The document also holds the metadata and the file names.
    const { text, secrets } = handleSecrets(original, options.secrets)
    const document = text === original ? parsed.document : new TextEncoder().encode(text)
    const report = { taken: parsed.report.taken, left: [...left, ...parsed.report.left], secrets }
    return { format, document, report }
  } catch (error) {
    if (isFailure(error, 'json/duplicate-member'))
      throwMalformed('The file', 'it has a member twice', error)
    throw error
  }
}

type Parsed = { readonly document: Uint8Array; readonly report: Omit<ImportReport, 'secrets'> }

type KnownFormat = Detected & { readonly format: FormatName }

function parseAs(
  { format, file }: KnownFormat,
  files: readonly SourceFile[],
  overrides: MetadataInput,
): Parsed {
  if (isFolderFormat(format)) return readFolder(format, files, overrides)
  return readJson(format, file ?? readJsonFile(requireSingleFile(files)), overrides)
}

function readFolder(
  format: FolderFormatName,
  files: readonly SourceFile[],
  overrides: MetadataInput,
): Parsed {
  const { noun, category, read } = folderImporters[format]
  if (!canHold(format, files)) throwMalformed('The folder', `it is not ${noun}`)
  const { data, metadata, taken, left } = read(files)
  const known = { category, ...metadata, ...definedMembers(overrides) }
  const counts = withoutZeros(taken)
  const document = buildDocument(data, importedMetadata(known, { format, counts }))
  return { document, report: { taken: counts, left } }
}

function readJson(format: JsonFormatName, file: JsonFile, overrides: MetadataInput): Parsed {
  const { matches, noun, category, describe } = jsonImporters[format]
  if (format === 'json' && isBundle(file)) return readBundle(file, overrides)
  if (!matches(file.value)) throwMalformed('The file', `it is not ${noun}`)
  const { metadata, taken, left } = describe(file.value)
  const known = { category, ...metadata, ...definedMembers(overrides) }
  const counts = withoutZeros(taken)
  const origin = { ...originOf(format, file), counts }
  const document = buildDocument(file.data, importedMetadata(known, origin))
  return { document, report: { taken: counts, left } }
}

function originOf(format: FormatName, { path, form, before, after }: JsonFile): ImportedFrom {
  return {
    format,
    file: path,
    ...(form !== 'object' && { form }),
    ...(before !== '' && { before }),
    ...(after !== '' && { after }),
  }
}

/** Returns whether a file is a whole bundle: only data and metadata, with a category. */
function isBundle({ value }: JsonFile): boolean {
  const [data, metadata] = [memberOf(value, 'data'), memberOf(value, 'metadata')]
  const hasTwoMembers = Object.keys(value ?? {}).length === 2
  return hasTwoMembers && isJsonObject(data) && textOf(metadata, 'category') !== undefined
}

function readBundle(file: JsonFile, overrides: MetadataInput): Parsed {
  const members = readMembers(new TextEncoder().encode(file.data))
  const [data, metadata] = [members.get('data'), members.get('metadata')] as [JsonText, JsonText]
  const document = buildDocument(
    new TextDecoder().decode(data),
    updateMetadata(metadata, overrides),
  )
  const count = isObject(data) ? Object.keys(parseJson(data) as object).length : 0
  return {
    document,
    report: { taken: withoutZeros([{ what: 'members of data', count }]), left: [] },
  }
}

/** Removes the members that are `undefined`. */
function definedMembers(overrides: MetadataInput): MetadataInput {
  return Object.fromEntries(Object.entries(overrides).filter(([, text]) => text !== undefined))
}

function withoutZeros(taken: ImportReport['taken']): ImportReport['taken'] {
  return taken.filter(({ count }) => count > 0)
}

/**
 * Builds a document from the JSON texts of `data` and `metadata`.
 *
 * @throws `import/malformed`
 */
export function buildDocument(data: string, metadata: string): Uint8Array {
  const text = `{"data":${data},"metadata":${metadata}}`
  try {
    return documentOf(new TextEncoder().encode(text))
  } catch (error) {
    if (isFailure(error, 'json/too-deep')) throwMalformed('The file', tooDeep, error)
    if (isFailure(error, 'bundle/malformed'))
      throwMalformed('The memory', 'its metadata.category is not a text', error)
    throw error
  }
}

/** Returns the JSON text of the metadata of an import: the known members, then the origin. */
function importedMetadata(known: MetadataInput, origin: ImportedFrom): string {
  const { category, agentId, version } = known
  return JSON.stringify({ category, agentId, version, importedFrom: origin })
}

/**
 * Returns the JSON text of metadata with some members replaced. The text of every other member, and
 * of unchanged metadata as a whole, stays the same.
 */
function updateMetadata(metadata: JsonText, changes: MetadataInput): string {
  const current = parseJson(metadata) as MetadataInput
  const changed = metadataNames.filter(
    (name) => changes[name] !== undefined && changes[name] !== current[name],
  )
  if (changed.length === 0) return decode(metadata)
  const members = new Map([...readMembers(metadata)].map(([name, text]) => [name, decode(text)]))
  for (const name of changed) members.set(name, JSON.stringify(changes[name]))
  return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
