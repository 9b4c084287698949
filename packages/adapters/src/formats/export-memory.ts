import { isFailure, isObject, type JsonText, parseJson, readMembers } from '@heirloom/core'
import type { FormatName } from './format-name.ts'
import { type ImportedFrom, importedFrom } from './imported-from.ts'
import { readJsonFile } from './importers/json-file.ts'
import { type JsonFormatName, jsonFormats } from './importers/json-importers.ts'
import { restoredText } from './importers/restore-json.ts'
import { malformed } from './throw-malformed.ts'
import { writeMarkdown } from './importers/markdown.ts'
import { safePath } from './safe-files/path-problem.ts'
import type { SourceFile } from './source-file.ts'

/**
 * Gives a memory back as files: in the format it came from, unless another is asked for. What was
 * imported comes back byte for byte; a memory of no known origin is one file of JSON, itself.
 *
 * @throws `import/malformed` when the memory is not of the format, or names files elsewhere
 */
export function exportMemory(document: Uint8Array, format?: FormatName): readonly SourceFile[] {
  const { data, metadata } = bundleOf(document)
  const origin = importedFrom(parseJson(metadata))
  const wanted = format ?? origin?.format ?? 'json'
  if (wanted === 'markdown') return writeMarkdown(parseJson(data))
  const own = origin?.format === wanted ? origin : undefined
  if (wanted === 'json' && own === undefined) return [{ path: 'memory.json', bytes: document }]
  return [restoredFile(wanted, new TextDecoder().decode(data), own)]
}

function restoredFile(
  format: JsonFormatName,
  data: string,
  origin: ImportedFrom | undefined,
): SourceFile {
  const { noun, file, fits } = jsonFormats[format]
  const path = safePath(origin?.file ?? file)
  const bytes = new TextEncoder().encode(wholeText(data, origin))
  if (!fits(readJsonFile({ path, bytes }).value)) malformed('The memory', `it is no ${noun}`)
  return { path, bytes }
}

/** Returns the text of a file, as its memory says that it stands in `data`. */
function wholeText(data: string, origin: ImportedFrom | undefined): string {
  if (origin === undefined) {
    return restoredText(data, 'lines') ?? restoredText(data, 'value') ?? data
  }
  const { before = '', after = '', form = 'object' } = origin
  const text = restoredText(data, form)
  if (text === undefined) malformed('The memory', 'its data is not as its metadata says')
  return before + text + after
}

type BundleTexts = { readonly data: JsonText; readonly metadata: JsonText }

function bundleOf(document: Uint8Array): BundleTexts {
  const members = membersOf(document)
  const [data, metadata] = [members.get('data'), members.get('metadata')]
  if (data === undefined || metadata === undefined || !isObject(data) || !isObject(metadata)) {
    malformed('The memory', 'it has no data and metadata')
  }
  return { data, metadata }
}

function membersOf(document: Uint8Array) {
  try {
    return readMembers(document)
  } catch (error) {
    if (isFailure(error)) malformed('The memory', 'it is not JSON', error)
    throw error
  }
}
