/** One sentence of a port's contract, and how to find out whether a subject keeps it. */
export type Law<Subject> = {
  readonly name: string
  /** Returns when the subject keeps the law; throws what shows that it does not. */
  readonly holds: (subject: Subject) => Promise<void>
}

/** How to get a fresh subject for each law, and which laws it cannot keep. */
export type Opener<Subject> = {
  readonly open: () => Promise<Subject>
  readonly close?: (subject: Subject) => Promise<void>
  /** The laws this subject cannot keep, each with the reason. */
  readonly waived?: Readonly<Record<string, string>>
}

/** What became of one law. */
export type LawResult =
  | { readonly name: string; readonly outcome: 'kept' }
  | { readonly name: string; readonly outcome: 'waived'; readonly reason: string }
  | { readonly name: string; readonly outcome: 'broken'; readonly error: unknown }

/**
 * Examines a subject without any test runner, one law after another.
 *
 * @throws when a waiver names no law or gives no reason
 */
export async function checkLaws<Subject>(
  laws: readonly Law<Subject>[],
  opener: Opener<Subject>,
): Promise<readonly LawResult[]> {
  refuseBadWaivers(laws, opener)
  const results: LawResult[] = []
  for (const law of laws) results.push(await examine(law, opener))
  return results
}

/** Opens a subject, sees whether it keeps the law, and closes it whatever came out. */
export async function hold<Subject>(law: Law<Subject>, opener: Opener<Subject>): Promise<void> {
  const subject = await opener.open()
  try {
    await law.holds(subject)
  } finally {
    await opener.close?.(subject)
  }
}

/** Refuses waivers that would hide something: of laws that do not exist, or without a reason. */
export function refuseBadWaivers<Subject>(
  laws: readonly Law<Subject>[],
  { waived = {} }: Opener<Subject>,
): void {
  for (const [name, reason] of Object.entries(waived)) {
    if (!laws.some((law) => law.name === name)) throw new Error(`A waiver names no law: ${name}`)
    if (reason.trim() === '') throw new Error(`A waiver gives no reason: ${name}`)
  }
}

async function examine<Subject>(law: Law<Subject>, opener: Opener<Subject>): Promise<LawResult> {
  const { name } = law
  const reason = opener.waived?.[name]
  if (reason !== undefined) return { name, outcome: 'waived', reason }
  try {
    await hold(law, opener)
    return { name, outcome: 'kept' }
  } catch (error) {
    return { name, outcome: 'broken', error }
  }
}
