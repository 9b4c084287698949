/** A file in memory, read or to be written. */
export type SourceFile = {
  /** The path relative to the imported or exported folder, with `/` as separator. */
  readonly path: string
  readonly bytes: Uint8Array
}
