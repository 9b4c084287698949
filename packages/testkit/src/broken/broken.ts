/** A subject with one fault, and the one law that the fault breaks. */
export type Broken<Subject> = {
  readonly law: string
  readonly fault: string
  readonly open: () => Promise<Subject>
}
