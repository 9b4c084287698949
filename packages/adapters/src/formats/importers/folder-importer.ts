import type { SourceFile } from '../source-file.ts'
import type { Description } from './json-importer.ts'

/** The importer of a folder of texts, which are imported unchanged. */
export type FolderImporter = {
  /** Completes the sentence "it is not …". */
  readonly noun: string
  readonly category: string
  /** Returns whether files have the format. */
  readonly matches: (files: readonly SourceFile[]) => boolean
  /**
   * Returns the text of `data`, and the description of the import.
   *
   * @throws `import/malformed`
   */
  readonly read: (files: readonly SourceFile[]) => Description & { readonly data: string }
}
