import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { highestPrice, maxClaims, maxLineageDepth, maxRentalDays, wholeBps } from '@heirloom/core'
import { expect, test } from 'vitest'

/** Reads a constant of the Solidity: a number, or `2 ** n - 1`. */
function constantOf(file: string, name: string): bigint {
  const source = readFileSync(join(import.meta.dirname, 'src', file), 'utf8')
  const [, text = ''] = new RegExp(`\\b${name} = ([^;]+);`).exec(source) ?? []
  const [, bits] = /^2 \*\* (\d+) - 1$/.exec(text) ?? []
  return bits === undefined ? BigInt(text.replaceAll('_', '')) : 2n ** BigInt(bits) - 1n
}

// `compile.test.ts` compares the sources with the bytecode.
test.each([
  ['libraries/Origin.sol', 'DEPTH_LIMIT', maxLineageDepth],
  ['libraries/Royalty.sol', 'CLAIM_LIMIT', maxClaims],
  ['libraries/Royalty.sol', 'WHOLE', wholeBps],
  ['libraries/Terms.sol', 'PRICE_LIMIT', highestPrice],
  ['Trade.sol', '_DAYS_LIMIT', maxRentalDays],
])('%s has the limit of the core: %s', (file, name, limit) => {
  expect(constantOf(file, name)).toBe(BigInt(limit))
})

test.each(['contracts.md', 'royalties.md'])('docs/%s names the depth limit', (name) => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8')
  const named = [...text.matchAll(/(\d+) (?:licensed )?forks (?:follow|at most)/g)]
  expect(named.length).toBeGreaterThan(0)
  for (const [, number] of named) expect(Number(number)).toBe(maxLineageDepth)
})
