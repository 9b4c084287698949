import type { FormatName, folderFormats } from '../format-name.ts'
import type { SourceFile } from '../source-file.ts'
import { cogx } from './cogx.ts'
import type { FolderImporter } from './importer.ts'
import { llamaIndex } from './llama-index.ts'
import { markdown } from './markdown.ts'

/** The importers of folders, in the order of detection. */
export const folderImporters = {
  cogx,
  'llama-index': llamaIndex,
  markdown,
} as const satisfies Readonly<Record<FolderFormatName, FolderImporter>>

/** The name of a format of folders. */
export type FolderFormatName = (typeof folderFormats)[number]

/** The names of the formats of folders, in the order of detection. */
export const folderFormatNames = Object.keys(folderImporters) as readonly FolderFormatName[]

/** Returns whether a format is one of folders. */
export const isFolderFormat = (format: FormatName): format is FolderFormatName =>
  format in folderImporters

/**
 * Returns whether files can have a format of folders that their user names. Any text can be sealed
 * as a text, whatever the name of its file.
 */
export const canHold = (format: FolderFormatName, files: readonly SourceFile[]): boolean =>
  format === 'markdown' || folderImporters[format].matches(files)
