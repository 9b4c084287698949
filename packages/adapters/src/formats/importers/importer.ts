import type { ImportedCount, MetadataInput, Omission } from '../import-report.ts'
import type { SourceFile } from '../source-file.ts'

/** The metadata found in a file, and what an import of it includes and leaves out. */
type Description = {
  readonly metadata: MetadataInput
  readonly taken: readonly ImportedCount[]
  readonly left: readonly Omission[]
}

/** The importer of a JSON format. It only reads the parsed file; the text is copied unchanged. */
export type JsonImporter = {
  /** Completes the sentence "it is not …". */
  readonly noun: string
  /** The usual file name of this format. */
  readonly file: string
  /** Other names under which its program writes such a file, and that no program reads by itself. */
  readonly otherFiles?: RegExp
  readonly category: string
  /** Returns whether a parsed value, or the list of parsed lines, has the format. */
  readonly matches: (value: unknown) => boolean
  readonly describe: (value: unknown) => Description
}

/** The importer of a folder of texts, which are imported unchanged. */
export type FolderImporter = {
  /** Completes the sentence "it is not …". */
  readonly noun: string
  readonly category: string
  /** The names of files in such a folder that no other program reads by itself. */
  readonly ownFiles?: RegExp
  /** Returns whether files have the format. */
  readonly matches: (files: readonly SourceFile[]) => boolean
  /**
   * Returns the text of `data`, and the description of the import.
   *
   * @throws `import/malformed`
   */
  readonly read: (files: readonly SourceFile[]) => Description & { readonly data: string }
}
