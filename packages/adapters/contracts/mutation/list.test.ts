import { expect, test } from 'vitest'
import { readSources } from './compiler.ts'
import { equivalents } from './equivalent.ts'
import { readList, tallyOf } from './list.ts'
import { ends, mutantsOf } from './mutants.ts'

const { sources, trees } = readSources()
const mutants = mutantsOf(sources, trees)
const committed = readList()
const verdicts = mutants.map((mutant) => ({
  mutant,
  end: committed.get(mutant.name) ?? ends.notJudged,
}))

test('the committed list has every mutant of these contracts, and no other', () => {
  expect([...committed.keys()].toSorted()).toEqual(mutants.map(({ name }) => name).toSorted())
})

/**
 * The mutants of the code for dollars, orders, relayed calls and heirs that no run has judged yet. The
 * contracts are not frozen before this is 0: `node packages/adapters/contracts/mutate.ts --rest`.
 */
const notJudgedYet = 13

test('no mutant that was judged survived without a reason, and those to judge do not grow', () => {
  const { survived, notJudged } = tallyOf(verdicts)
  expect({ survived, notJudged }).toEqual({ survived: 0, notJudged: notJudgedYet })
})

test('every reason is for a mutant that survived', () => {
  for (const name of Object.keys(equivalents)) expect(committed.get(name), name).toBe(ends.survived)
})
