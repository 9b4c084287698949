import { describe, test } from 'vitest'
import { hold, type Law, type Opener, refuseBadWaivers } from './law.ts'

/** Turns laws into one vitest test each, every one on a fresh subject. */
export function describeLaws<Subject>(
  title: string,
  laws: readonly Law<Subject>[],
  opener: Opener<Subject>,
): void {
  refuseBadWaivers(laws, opener)
  describe(title, () => {
    for (const law of laws) {
      const reason = opener.waived?.[law.name]
      if (reason === undefined) test(law.name, () => hold(law, opener))
      else test.skip(`${law.name} (waived: ${reason})`)
    }
  })
}
