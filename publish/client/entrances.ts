/** The entrances of `@heirloom/client`, each with the entrance of `@heirloom/http` that it is. */
export const clientEntrances: readonly {
  readonly path: string
  readonly source: string
  /** The name of the files that it is built as. */
  readonly file: string
}[] = [
  { path: '.', source: './client', file: 'index' },
  { path: './wallet', source: './wallet', file: 'wallet' },
]

/** The name of the package. */
export const clientName = '@heirloom/client'
