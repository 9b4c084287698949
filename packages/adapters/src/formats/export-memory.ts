import { isFailure, isObject, type JsonText, parseJson, readMembers } from '@heirloom/core'
import type { FormatName } from './format-name.ts'
import { type ImportedFrom, readImportedFrom } from './imported-from.ts'
import { canHold, folderImporters, isFolderFormat } from './importers/folder-importers.ts'
import { readJsonFile } from './importers/json-file.ts'
import { type JsonFormatName, jsonImporters } from './importers/json-importers.ts'
import { restoreJson } from './importers/restore-json.ts'
import { writeTextFolder } from './importers/text-folder.ts'
import { requireSafePath, type SourceFile, throwMalformed } from './source-file.ts'

/**
 * Exports a memory to files, in the format it was imported from unless `format` names another.
 * Imported files are restored byte for byte. A memory of unknown origin is exported as one JSON
 * file, which is its document.
 *
 * @throws `import/malformed` when the memory does not have the format, or its paths are unsafe
 */
export function exportMemory(document: Uint8Array, format?: FormatName): readonly SourceFile[] {
  const { data, metadata } = readBundle(document)
  const origin = readImportedFrom(parseJson(metadata))
  const target = format ?? origin?.format ?? 'json'
  if (isFolderFormat(target)) {
    const files = writeTextFolder(parseJson(data))
    const { noun } = folderImporters[target]
    if (!canHold(target, files)) throwMalformed('The memory', `it is not ${noun}`)
    return files
  }
  const source = origin?.format === target ? origin : undefined
  if (target === 'json' && source === undefined) return [{ path: 'memory.json', bytes: document }]
  return [restoreFile(target, new TextDecoder().decode(data), source)]
}

function restoreFile(
  format: JsonFormatName,
  data: string,
  origin: ImportedFrom | undefined,
): SourceFile {
  const { noun, file, matches } = jsonImporters[format]
  const path = requireSafePath(origin?.file ?? file)
  const bytes = new TextEncoder().encode(restoreText(data, origin))
  const { value } = readJsonFile({ path, bytes })
  if (!matches(value)) throwMalformed('The memory', `it is not ${noun}`)
  return { path, bytes }
}

/** Returns the text of the imported file, restored from `data` as the metadata describes. */
function restoreText(data: string, origin: ImportedFrom | undefined): string {
  if (origin === undefined) {
    return restoreJson(data, 'lines') ?? restoreJson(data, 'value') ?? data
  }
  const { before = '', after = '', form = 'object' } = origin
  const text = restoreJson(data, form)
  if (text === undefined) throwMalformed('The memory', 'its data does not match its metadata')
  return before + text + after
}

type BundleTexts = { readonly data: JsonText; readonly metadata: JsonText }

function readBundle(document: Uint8Array): BundleTexts {
  const members = readDocument(document)
  const [data, metadata] = [members.get('data'), members.get('metadata')]
  if (data === undefined || metadata === undefined || !isObject(data) || !isObject(metadata)) {
    throwMalformed('The memory', 'it lacks data or metadata')
  }
  return { data, metadata }
}

function readDocument(document: Uint8Array) {
  try {
    return readMembers(document)
  } catch (error) {
    if (isFailure(error)) throwMalformed('The memory', 'it is not JSON', error)
    throw error
  }
}
