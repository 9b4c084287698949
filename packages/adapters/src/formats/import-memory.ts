import { Failure, isFailure, isObject, type JsonText, parseJson, readMembers } from '@heirloom/core'
import { type Recognised, recognise } from './detect-format.ts'
import { documentText } from './build-document.ts'
import { type FormatName, formatNames } from './format-name.ts'
import type { Imported, ImportOptions, ImportReport, MetadataInput } from './import-report.ts'
import type { ImportedFrom } from './imported-from.ts'
import { type JsonFile, onlyFile, readJsonFile } from './importers/json-file.ts'
import { type JsonFormatName, jsonFormats } from './importers/json-importers.ts'
import { malformed } from './throw-malformed.ts'
import { markdownCategory, readMarkdown } from './importers/markdown.ts'
import { metadataText, withMetadata } from './metadata-text.ts'
import { refuseTooMuch } from './input-limits.ts'
import { handleSecrets } from './secrets/secrets.ts'
import type { SourceFile } from './source-file.ts'
import { isMembers, memberOf, textOf } from './importers/json-members.ts'

/**
 * Takes files in as a memory, and reports what was taken and what was left. The texts of the
 * files stay letter for letter as they are, so that `exportMemory` can give them back.
 *
 * @throws `import/unknown-format`, `import/malformed`, `import/secrets-found`
 */
export function importMemory(files: readonly SourceFile[], options: ImportOptions): Imported {
  refuseTooMuch(files)
  const { format, file }: Recognised = options.format === undefined ? recognise(files) : options
  if (format === undefined) {
    throw new Failure('import/unknown-format', { known: formatNames.join(', ') })
  }
  try {
    const read = readAs({ format, file }, files, options.metadata ?? {})
    const whole = new TextDecoder().decode(read.document)
    // Metadata and the names of files included.
    const { text, secrets } = handleSecrets(whole, options.secrets)
    const document = text === whole ? read.document : new TextEncoder().encode(text)
    return { format, document, report: { ...read.report, secrets } }
  } catch (error) {
    if (isFailure(error, 'json/duplicate-member')) malformed('The file', 'a member is twice', error)
    throw error
  }
}

type Read = { readonly document: Uint8Array; readonly report: Omit<ImportReport, 'secrets'> }

type Format = Recognised & { readonly format: FormatName }

function readAs(
  { format, file }: Format,
  files: readonly SourceFile[],
  wanted: MetadataInput,
): Read {
  if (format === 'markdown') return readFolder(files, wanted)
  return readJson(format, file ?? readJsonFile(onlyFile(files)), wanted)
}

function readFolder(files: readonly SourceFile[], wanted: MetadataInput): Read {
  const { data, metadata, taken, left } = readMarkdown(files)
  const known = { category: markdownCategory, ...metadata, ...given(wanted) }
  const document = documentText(data, metadataText(known, { format: 'markdown' }))
  return { document, report: { taken: present(taken), left } }
}

function readJson(format: JsonFormatName, file: JsonFile, wanted: MetadataInput): Read {
  const { fits, noun, category, describe } = jsonFormats[format]
  if (format === 'json' && isBundle(file)) return readBundle(file, wanted)
  if (!fits(file.value)) malformed('The file', `it is no ${noun}`)
  const { metadata, taken, left } = describe(file.value)
  const known = { category, ...metadata, ...given(wanted) }
  const document = documentText(file.data, metadataText(known, originOf(format, file)))
  return { document, report: { taken: present(taken), left } }
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

/** A whole bundle: nothing but data and metadata, with a category. */
function isBundle({ value }: JsonFile): boolean {
  const [data, metadata] = [memberOf(value, 'data'), memberOf(value, 'metadata')]
  const isAll = Object.keys(value ?? {}).length === 2
  return isAll && isMembers(data) && textOf(metadata, 'category') !== undefined
}

function readBundle(file: JsonFile, wanted: MetadataInput): Read {
  const members = readMembers(new TextEncoder().encode(file.data))
  const [data, metadata] = [members.get('data'), members.get('metadata')] as [JsonText, JsonText]
  const document = documentText(new TextDecoder().decode(data), withMetadata(metadata, wanted))
  const count = isObject(data) ? Object.keys(parseJson(data) as object).length : 0
  return { document, report: { taken: present([{ what: 'members of data', count }]), left: [] } }
}

/** Members that are set to nothing say nothing. */
function given(wanted: MetadataInput): MetadataInput {
  return Object.fromEntries(Object.entries(wanted).filter(([, text]) => text !== undefined))
}

function present(taken: ImportReport['taken']): ImportReport['taken'] {
  return taken.filter(({ count }) => count > 0)
}
