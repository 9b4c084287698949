import type { FormatName } from './format-name.ts'
import { type JsonFile, readJsonFile } from './importers/json-file.ts'
import { type JsonFormatName, jsonFormatNames, jsonFormats } from './importers/json-importers.ts'
import { isMarkdown } from './importers/markdown.ts'
import type { SourceFile } from './source-file.ts'

/**
 * Returns the format of files by what is in them, and by their names when that cannot be read.
 * A single file of JSON is at least `json`; a folder with Markdown or text in it is `markdown`.
 */
export function detectFormat(files: readonly SourceFile[]): FormatName | undefined {
  return recognise(files).format
}

/** What files were found to be, and what was read to find it. */
export type Recognised = {
  readonly format?: FormatName | undefined
  readonly file?: JsonFile | undefined
}

/** Returns the format of files as `detectFormat` does, so that they need not be read again. */
export function recognise(files: readonly SourceFile[]): Recognised {
  if (isMarkdown(files)) return { format: 'markdown' }
  const [source, ...others] = files
  if (source === undefined || others.length > 0) return {}
  try {
    const file = readJsonFile(source)
    return { format: jsonFormatNames.find((name) => jsonFormats[name].fits(file.value)), file }
  } catch {
    return { format: byName.find(([end]) => source.path.toLowerCase().endsWith(end))?.[1] }
  }
}

/** So that a broken file is told where it breaks, instead of that nothing is known of it. */
const byName: readonly (readonly [end: string, format: JsonFormatName])[] = [
  ['.af', 'letta-af'],
  ['.jsonl', 'mcp-memory'],
  ['.json', 'json'],
]
