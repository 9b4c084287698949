import { hold, type Law, type Opener, refuseBadWaivers } from './law.ts'

/** Turns laws into one test each, every one on a fresh subject. */
export type DescribeLaws = <Subject>(
  title: string,
  laws: readonly Law<Subject>[],
  opener: Opener<Subject>,
) => void

/** What is asked of a test runner. */
export type Runner = {
  readonly describe: (title: string, tests: () => void) => unknown
  readonly test: (name: string, test: () => Promise<void>) => unknown
  readonly skip: (name: string) => unknown
}

/** Returns what turns laws into tests of a runner. */
export function describeLawsWith({ describe, test, skip }: Runner): DescribeLaws {
  return (title, laws, opener) => {
    refuseBadWaivers(laws, opener)
    describe(title, () => {
      for (const law of laws) {
        const reason = opener.waived?.[law.name]
        if (reason === undefined) test(law.name, () => hold(law, opener))
        else skip(`${law.name} (waived: ${reason})`)
      }
    })
  }
}
