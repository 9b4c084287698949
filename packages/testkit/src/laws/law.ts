import fc, { type Arbitrary, type Parameters } from 'fast-check'

/** One sentence of a port's contract, and the check whether a subject keeps it. */
export type Law<Subject> = {
  readonly name: string
  /** Resolves when the subject keeps the law; throws a counterexample when it breaks the law. */
  readonly holds: (subject: Subject) => Promise<void>
}

/** Creates the law that a property holds of a subject, whatever values arbitraries draw. */
export function forAll<Subject, Values extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: readonly [...{ [at in keyof Values]: Arbitrary<Values[at]> }],
  property: (subject: Subject, ...values: Values) => Promise<void>,
  runs: Parameters<Values> = {},
): Law<Subject> {
  return {
    name,
    holds: (subject) =>
      fc.assert(
        fc.asyncProperty<Values>(...arbitraries, (...values) => property(subject, ...values)),
        runs,
      ),
  }
}

/** A factory of fresh subjects, one for each law, and the laws that they cannot keep. */
export type Opener<Subject> = {
  readonly open: () => Promise<Subject>
  readonly close?: (subject: Subject) => Promise<void>
  /** The reasons for laws that the subject cannot keep, by the names of the laws. */
  readonly waived?: Readonly<Record<string, string>>
}

/** The result of the check of one law. */
export type LawResult =
  | { readonly name: string; readonly outcome: 'kept' }
  | { readonly name: string; readonly outcome: 'waived'; readonly reason: string }
  | { readonly name: string; readonly outcome: 'broken'; readonly error: unknown }

/**
 * Checks a subject without a test runner, one law after another.
 *
 * @throws when a waiver names no law or gives no reason
 */
export async function checkLaws<Subject>(
  laws: readonly Law<Subject>[],
  opener: Opener<Subject>,
): Promise<readonly LawResult[]> {
  refuseBadWaivers(laws, opener)
  const results: LawResult[] = []
  for (const law of laws) results.push(await checkLaw(law, opener))
  return results
}

/** Opens a subject, asserts that it keeps the law, and always closes it. */
export async function assertLaw<Subject>(
  law: Law<Subject>,
  opener: Opener<Subject>,
): Promise<void> {
  const subject = await opener.open()
  try {
    await law.holds(subject)
  } finally {
    await opener.close?.(subject)
  }
}

/** Refuses waivers of unknown laws, and waivers without a reason. */
export function refuseBadWaivers<Subject>(
  laws: readonly Law<Subject>[],
  { waived = {} }: Opener<Subject>,
): void {
  for (const [name, reason] of Object.entries(waived)) {
    if (!laws.some((law) => law.name === name)) throw new Error(`A waiver names no law: ${name}`)
    if (reason.trim() === '') throw new Error(`A waiver gives no reason: ${name}`)
  }
}

async function checkLaw<Subject>(law: Law<Subject>, opener: Opener<Subject>): Promise<LawResult> {
  const { name } = law
  const reason = opener.waived?.[name]
  if (reason !== undefined) return { name, outcome: 'waived', reason }
  try {
    await assertLaw(law, opener)
    return { name, outcome: 'kept' }
  } catch (error) {
    return { name, outcome: 'broken', error }
  }
}
