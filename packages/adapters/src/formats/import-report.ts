import type { FormatName } from './format-name.ts'
import type { SecretFinding } from './secrets/secret.ts'

/** The number of things of one kind that an import includes. */
export type ImportedCount = { readonly what: string; readonly count: number }

/** Something that was left out or is missing, and the reason. */
export type Omission = {
  readonly what: string
  readonly why: string
  /** Set where the source has content that the memory lacks: a file, an item, a column. */
  readonly isLoss?: true
}

/** The contents that an import includes and leaves out. */
export type ImportReport = {
  readonly taken: readonly ImportedCount[]
  readonly left: readonly Omission[]
  /** Texts that look like secrets; after redaction, those that were replaced. */
  readonly secrets: readonly SecretFinding[]
}

/** The document made of imported files, its format and the report of the import. */
export type ImportedMemory = {
  readonly format: FormatName
  /** The exact text `{"data":…,"metadata":…}`, in UTF-8. */
  readonly document: Uint8Array
  readonly report: ImportReport
}

/** The treatment of a memory that seems to hold secrets. */
export type SecretChoice = 'refuse' | 'redact' | 'keep'

/** The metadata that an importer may derive from the files, and a caller may set. */
export type MetadataInput = {
  readonly category?: string
  readonly agentId?: string
  readonly version?: string
}

/** The names of the members of `MetadataInput`. */
export const metadataNames = ['category', 'agentId', 'version'] as const

/** The options of an import. */
export type ImportOptions = {
  /** The format of the files; detected when absent. */
  readonly format?: FormatName
  /** The treatment of texts that look like secrets. */
  readonly secrets: SecretChoice
  /** Replaces the metadata derived from the files. */
  readonly metadata?: MetadataInput
}
