import type { FoundInMemory } from '../../client/responses.ts'

type Match = FoundInMemory['matches'][number]

/** Returns a match with the text around it. */
export const describeMatch = ({ pointer, in: where, before, match, after }: Match) => ({
  at: pointer ?? null,
  ...(where === 'name' && { in: 'name' }),
  text: `${before}${match}${after}`.toWellFormed(),
})

/** Returns the matches of a search inside a memory as JSON. */
export function foundText({ matches, next }: FoundInMemory): string {
  const note =
    matches.length === 0 && next === undefined ? 'Nothing found: try one word.' : undefined
  return JSON.stringify({ matches: matches.map(describeMatch), note, next })
}
