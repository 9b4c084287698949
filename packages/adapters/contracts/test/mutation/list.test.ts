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

test('every mutant was judged, and none survived without a reason', () => {
  const { survived, notJudged } = tallyOf(verdicts)
  expect({ survived, notJudged }).toEqual({ survived: 0, notJudged: 0 })
})

test('every reason is for a mutant that survived', () => {
  for (const name of Object.keys(equivalents)) expect(committed.get(name), name).toBe(ends.survived)
})
