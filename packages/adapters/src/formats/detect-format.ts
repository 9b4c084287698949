import type { FormatName } from './format-name.ts'
import { readJsonFile } from './json-file.ts'
import { type JsonFormatName, jsonFormatNames, jsonFormats } from './json-formats.ts'
import { isMarkdown } from './markdown.ts'
import type { SourceFile } from './source-file.ts'

/**
 * Returns the format of files by what is in them, and by their names when that cannot be read.
 * A single file of JSON is at least `json`; a folder with Markdown or text in it is `markdown`.
 */
export function detectFormat(files: readonly SourceFile[]): FormatName | undefined {
  const [file, ...others] = files
  if (file === undefined) return undefined
  if (others.length > 0 || isMarkdown(files)) return isMarkdown(files) ? 'markdown' : undefined
  try {
    const { value } = readJsonFile(file)
    return jsonFormatNames.find((name) => jsonFormats[name].fits(value))
  } catch {
    return byName.find(([end]) => file.path.toLowerCase().endsWith(end))?.[1]
  }
}

/** So that a broken file is told where it breaks, instead of that nothing is known of it. */
const byName: readonly (readonly [end: string, format: JsonFormatName])[] = [
  ['.af', 'letta-af'],
  ['.jsonl', 'mcp-memory'],
  ['.json', 'json'],
]
