import { assertLaw, type Law, type Opener, refuseBadWaivers } from './law.ts'

/** Declares one test for each law, each on a fresh subject. */
export type DescribeLaws = <Subject>(
  title: string,
  laws: readonly Law<Subject>[],
  opener: Opener<Subject>,
) => void

/** The functions of a test runner. */
export type Runner = {
  readonly describe: (title: string, tests: () => void) => unknown
  readonly test: (name: string, test: () => Promise<void>) => unknown
  readonly skip: (name: string) => unknown
}

/** Creates `describeLaws` for a test runner. */
export function describeLawsWith({ describe, test, skip }: Runner): DescribeLaws {
  return (title, laws, opener) => {
    refuseBadWaivers(laws, opener)
    describe(title, () => {
      for (const law of laws) {
        const reason = opener.waived?.[law.name]
        if (reason === undefined) test(law.name, () => assertLaw(law, opener))
        else skip(`${law.name} (waived: ${reason})`)
      }
    })
  }
}
