import type { Left, MetadataInput, Taken } from '../import-report.ts'

/** What a file of one of the JSON formats says of itself. */
export type Described = {
  readonly metadata: MetadataInput
  readonly taken: readonly Taken[]
  readonly left: readonly Left[]
}

/** A format of JSON: how it is known, and what is in it. Its text itself is kept as it is. */
export type JsonFormat = {
  /** What it is, for the sentence "it is no …". */
  readonly noun: string
  /** The name of a file of this format. */
  readonly file: string
  readonly category: string
  /** Tells whether a parsed value, or the list of the lines of a file, is of the format. */
  readonly fits: (value: unknown) => boolean
  readonly describe: (value: unknown) => Described
}
