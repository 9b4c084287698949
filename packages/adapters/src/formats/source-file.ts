/** A file as it is read or to be written; nothing here touches a disk. */
export type SourceFile = {
  /** Relative to the folder that is meant, with `/` between its parts. */
  readonly path: string
  readonly bytes: Uint8Array
}
