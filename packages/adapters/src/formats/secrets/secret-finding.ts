/** Something in a text that looks as if nobody else should have it. */
export type SecretFinding = {
  readonly kind: string
  /** Where in a JSON text it stands, as a JSON Pointer (RFC 6901); absent for other texts. */
  readonly where?: string
  /** Counted from 1: in the string that `where` names, or else in the whole text. */
  readonly line: number
  /** Its beginning, the rest masked. */
  readonly excerpt: string
}
