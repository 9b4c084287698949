import type { ImportedCount } from '../import-report.ts'
import type { SourceFile } from '../source-file.ts'
import type { FolderImporter } from './importer.ts'
import { decodeUtf8, textOf } from './json-file.ts'
import { readTextFolder, type Text } from './text-folder.ts'

/** The manifest of an archive. */
export const cogxManifest = 'manifest.json'

/** The files of an archive beside its manifest: the records of one kind each. */
export const cogxRecords =
  /^(?:documents|episodes|entities|facts|memories|memory_blocks|nodes)\.jsonl$/

/** Imports an archive of Cognee (COGX): a manifest, and a file of JSON lines for each kind of record. */
export const cogx: FolderImporter = {
  noun: 'an archive of Cognee (COGX)',
  category: 'knowledge-graph',
  matches: (files) => textOf(manifestOf(files), 'cogx_version') !== undefined,
  read: (files) => {
    const { data, texts, left } = readTextFolder(files)
    return { data, metadata: {}, taken: countRecords(texts), left }
  },
}

function countRecords(texts: readonly Text[]): readonly ImportedCount[] {
  const records = texts.filter(({ path }) => cogxRecords.test(path))
  const counts = records.map(({ path, text }) => ({
    what: path.replace('.jsonl', '').replace('_', ' '),
    count: text.split('\n').filter((line) => line.trim() !== '').length,
  }))
  return [...counts, { what: 'other files', count: texts.length - records.length }]
}

function manifestOf(files: readonly SourceFile[]): unknown {
  const bytes = files.find(({ path }) => path === cogxManifest)?.bytes
  try {
    return JSON.parse(bytes === undefined ? '' : (decodeUtf8(bytes) ?? ''))
  } catch {
    return undefined
  }
}
