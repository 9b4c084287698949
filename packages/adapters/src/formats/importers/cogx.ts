import type { ImportedCount } from '../import-report.ts'
import type { SourceFile } from '../source-file.ts'
import type { FolderImporter } from './importer.ts'
import { decodeUtf8, textOf } from './json-file.ts'
import { readTextFolder, type Text } from './text-folder.ts'

const manifest = 'manifest.json'

/** The files of an archive: its manifest, and the records of one kind each. */
const ownFiles =
  /^(?:manifest\.json|(?:documents|episodes|entities|facts|memories|memory_blocks|nodes)\.jsonl)$/

/** Imports an archive of Cognee (COGX): a manifest, and a file of JSON lines for each kind of record. */
export const cogx: FolderImporter = {
  noun: 'an archive of Cognee (COGX)',
  category: 'knowledge-graph',
  ownFiles,
  matches: (files) => textOf(manifestOf(files), 'cogx_version') !== undefined,
  read: (files) => {
    const { data, texts, left } = readTextFolder(files)
    return { data, metadata: {}, taken: countRecords(texts), left }
  },
}

function countRecords(texts: readonly Text[]): readonly ImportedCount[] {
  const records = texts.filter(({ path }) => path !== manifest && ownFiles.test(path))
  const counts = records.map(({ path, text }) => ({
    what: path.replace('.jsonl', '').replace('_', ' '),
    count: text.split('\n').filter((line) => line.trim() !== '').length,
  }))
  return [...counts, { what: 'other files', count: texts.length - records.length }]
}

function manifestOf(files: readonly SourceFile[]): unknown {
  const bytes = files.find(({ path }) => path === manifest)?.bytes
  try {
    return JSON.parse(bytes === undefined ? '' : (decodeUtf8(bytes) ?? ''))
  } catch {
    return undefined
  }
}
