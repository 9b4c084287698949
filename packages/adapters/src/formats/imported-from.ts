import { type FormatName, formatNames } from './format-name.ts'
import type { ImportedCount } from './import-report.ts'
import { type JsonForm, jsonForms, memberOf, textOf } from './importers/json-file.ts'

/**
 * The value of `metadata.importedFrom`: what the exporter needs to restore the imported files byte
 * for byte, and how many things of each kind the files had, for people who consider the memory.
 */
export type ImportedFrom = {
  readonly format: FormatName
  /** The name of the file; a folder has none. */
  readonly file?: string
  /** The form of the content in `data`; `object` when absent. */
  readonly form?: JsonForm
  /** White space and a byte order mark around the JSON of the file; empty when absent. */
  readonly before?: string
  readonly after?: string
  readonly counts?: readonly ImportedCount[]
}

/** Returns the `importedFrom` member of parsed metadata, or `undefined` when it names no format. */
export function readImportedFrom(metadata: unknown): ImportedFrom | undefined {
  const origin = memberOf(metadata, 'importedFrom')
  const format = formatNames.find((name) => name === memberOf(origin, 'format'))
  if (format === undefined) return undefined
  const form = jsonForms.find((name) => name === memberOf(origin, 'form'))
  const [file, before, after] = ['file', 'before', 'after'].map((name) => textOf(origin, name))
  return {
    format,
    ...(file !== undefined && { file }),
    ...(form !== undefined && { form }),
    ...(before !== undefined && isJsonPadding(before) && { before }),
    ...(after !== undefined && isJsonPadding(after) && { after }),
  }
}

/** Allows only white space and a byte order mark, as the metadata may come from anybody. */
const isJsonPadding = (text: string) => /^\uFEFF?[ \t\r\n]*$/.test(text)
