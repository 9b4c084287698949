import type { Finding } from './finding.ts'
import type { FindingKind } from './finding-kinds.ts'
import type { StringPlace } from './walk-strings.ts'

/** The literal of a string that is held back. */
export type HeldString = Pick<StringPlace, 'at' | 'end'> & {
  readonly kinds: readonly FindingKind[]
}

/** The result of a scan. */
export type Scan = {
  /** The findings in the order of the document; of each kind the first 25. */
  readonly findings: readonly Finding[]
  /** Describes how many there are of each kind. */
  readonly counts: Readonly<Partial<Record<FindingKind, number>>>
  /** The strings that are held back, in the order of the document. */
  readonly held: readonly HeldString[]
  /** Whether all of the document is held back: too many of its strings would be, or it nests too deep. */
  readonly isAllHeld: boolean
}
