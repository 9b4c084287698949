import type { FormatName } from './format-name.ts'
import { folderFormatNames, folderImporters } from './importers/folder-importers.ts'
import { type JsonFile, readJsonFile } from './importers/json-file.ts'
import { type JsonFormatName, jsonFormatNames, jsonImporters } from './importers/json-importers.ts'
import type { SourceFile } from './source-file.ts'

/**
 * Returns the format of files by their content, or by their name when it cannot be parsed. Any
 * single JSON file is at least `json`; a folder with Markdown or text files is `markdown`.
 */
export function detectFormat(files: readonly SourceFile[]): FormatName | undefined {
  return detectAndRead(files).format
}

/** The detected format, and the file as it was parsed for the detection. */
export type Detected = {
  readonly format?: FormatName | undefined
  readonly file?: JsonFile | undefined
}

/** Detects the format as `detectFormat` does, and returns the parsed file too. */
export function detectAndRead(files: readonly SourceFile[]): Detected {
  const folder = folderFormatNames.find((name) => folderImporters[name].matches(files))
  if (folder !== undefined) return { format: folder }
  const [source, ...others] = files
  if (source === undefined || others.length > 0) return {}
  try {
    const file = readJsonFile(source)
    return { format: jsonFormatNames.find((name) => jsonImporters[name].matches(file.value)), file }
  } catch {
    const path = source.path.toLowerCase()
    const [, named] = formatOfName.find(([end]) => path.endsWith(end)) ?? []
    return { format: named ?? (beginsLikeJson(source) ? 'json' : undefined) }
  }
}

/** Returns whether a file of any name begins as JSON does, so that it fails with the place of the error. */
const beginsLikeJson = ({ bytes }: SourceFile): boolean =>
  /^\s*(?:\{\s*"|\[\s*[{"[])/.test(new TextDecoder().decode(bytes.subarray(0, 1024)))

/** Formats by file name, so that a broken file fails with the place of the error. */
const formatOfName: readonly (readonly [end: string, format: JsonFormatName])[] = [
  ['.af', 'letta-af'],
  ['.jsonl', 'mcp-memory'],
  ['.json', 'json'],
]
