import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Reads } from './reads.ts'
import { findCommonVersion } from './versions.ts'

/** Returns a lineage read of tokens with these parents, which names at most two ancestors at once. */
function lineageOf(parents: readonly number[]): Reads['lineage'] {
  const tokenAt = (id: number) => ({ tokenId: `${id}`, parent: `${parents[id] ?? 0}` })
  return (async (id: string) => {
    const token = tokenAt(Number(id))
    const first = tokenAt(Number(token.parent))
    const ancestors = [first, tokenAt(Number(first.parent))]
      .filter((it) => it.tokenId !== '0')
      .map((it) => ({ token: it }))
    return { token, ancestors }
  }) as unknown as Reads['lineage']
}

/** Returns a token and all its ancestors. */
const lineOf = (parents: readonly number[], id: number): readonly number[] =>
  id === 0 ? [] : [id, ...lineOf(parents, parents[id] ?? 0)]

test('is the newest ancestor of both, in lines of any length', async () => {
  const trees = fc
    .array(fc.nat(), { minLength: 2, maxLength: 12 })
    .map((seeds) => [0, ...seeds.map((seed, at) => seed % (at + 1))])
  await fc.assert(
    fc.asyncProperty(trees, fc.nat(), fc.nat(), async (parents, one, other) => {
      const [ours, theirs] = [1 + (one % 2), 1 + (other % (parents.length - 1))]
      const common = lineOf(parents, theirs).find((id) => lineOf(parents, ours).includes(id))
      const found = findCommonVersion(lineageOf(parents), { ours, theirs })
      expect(await found.catch((error) => error.code)).toBe(
        common === undefined ? 'client/no-common-version' : `${common}`,
      )
    }),
    { numRuns: 100 },
  )
})

test('ends where a server names ancestors without end', async () => {
  const circle = lineageOf([0, 3, 1, 2, 4])
  await expect(findCommonVersion(circle, { ours: 3, theirs: 4 })).rejects.toMatchObject({
    code: 'client/no-common-version',
  })
})
