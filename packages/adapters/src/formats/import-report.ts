import type { FormatName } from './format-name.ts'
import type { SecretFinding } from './secrets/secret-finding.ts'

/** What became of something in the files. */
export type Taken = { readonly what: string; readonly count: number }

/** What was left out or is missing, and why. */
export type Left = { readonly what: string; readonly why: string }

/** What an import took and left. */
export type ImportReport = {
  readonly taken: readonly Taken[]
  readonly left: readonly Left[]
  /** What looked like secrets; after redaction, those that were taken out. */
  readonly secrets: readonly SecretFinding[]
}

/** A memory that was taken in, and what is to be said of it. */
export type Imported = {
  readonly format: FormatName
  /** The exact text `{"data":…,"metadata":…}`, in UTF-8. */
  readonly document: Uint8Array
  readonly report: ImportReport
}

/** What to do with a memory that holds what looks like secrets. */
export type SecretChoice = 'refuse' | 'redact' | 'keep'

/** The members of the metadata that an importer may derive, and a caller may set. */
export type MetadataInput = {
  readonly category?: string
  readonly agentId?: string
  readonly version?: string
}

/** The names of these members. */
export const metadataNames = ['category', 'agentId', 'version'] as const

/** How to take files in. */
export type ImportOptions = {
  /** Found by looking when absent. */
  readonly format?: FormatName
  readonly secrets: SecretChoice
  /** Stands in place of what the files say. */
  readonly metadata?: MetadataInput
}
