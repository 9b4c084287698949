import { type FormatName, formatNames } from './format-name.ts'
import { type JsonForm, jsonForms } from './importers/json-file.ts'
import { memberOf, textOf } from './importers/json-members.ts'

/**
 * What `metadata.importedFrom` says of the files a memory was made of, so that they can be given
 * back byte for byte.
 */
export type ImportedFrom = {
  readonly format: FormatName
  /** The name of the file; a folder has none. */
  readonly file?: string
  /** How the file stands in `data`; `object` when absent. */
  readonly form?: JsonForm
  /** White space and a byte order mark around the JSON of the file; nothing when absent. */
  readonly before?: string
  readonly after?: string
}

/** Returns what parsed metadata says of its origin, or nothing when it says nothing of the kind. */
export function importedFrom(metadata: unknown): ImportedFrom | undefined {
  const origin = memberOf(metadata, 'importedFrom')
  const format = formatNames.find((name) => name === memberOf(origin, 'format'))
  if (format === undefined) return undefined
  const form = jsonForms.find((name) => name === memberOf(origin, 'form'))
  const [file, before, after] = ['file', 'before', 'after'].map((name) => textOf(origin, name))
  return {
    format,
    ...(file !== undefined && { file }),
    ...(form !== undefined && { form }),
    ...(before !== undefined && isAround(before) && { before }),
    ...(after !== undefined && isAround(after) && { after }),
  }
}

/** Nothing but what may stand around JSON is put around it. */
const isAround = (text: string) => /^\uFEFF?[ \t\r\n]*$/.test(text)
