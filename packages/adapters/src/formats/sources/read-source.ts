import type { Omission } from '../import-report.ts'
import type { SourceFile } from '../source-file.ts'

/** Describes what was read of a database or a server: a file that `importMemory` takes, and what is not in it. */
export type ReadSource = { readonly file: SourceFile; readonly left: readonly Omission[] }
