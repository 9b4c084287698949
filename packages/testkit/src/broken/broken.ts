/** A subject with one fault, and the only law that this fault breaks. */
export type Broken<Subject> = {
  readonly law: string
  readonly fault: string
  readonly open: () => Promise<Subject>
}
