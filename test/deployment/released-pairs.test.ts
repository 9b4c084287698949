import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, custom, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { findPair, knownRuntimes } from '../../packages/adapters/src/ledger/contract-pair.ts'
import type { PairRuntimes } from '../../packages/adapters/src/ledger/runtime-code.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'

const folder = join(import.meta.dirname, '../fixtures/contracts')

/** The code of the contracts of each release, by the name of its file. */
const released = readdirSync(folder).map(
  (file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as PairRuntimes] as const,
)

test('the contracts of 0.2.0 and 0.3.0 are released', () => {
  expect(released.map(([file]) => file)).toEqual(['0.2.0.json', '0.3.0.json'])
})

// Where this fails, the Solidity has changed: the new code is a new entry, and the old one stays.
test.each(released)('the contracts of %s are known for ever', (_, runtimes) => {
  expect(knownRuntimes).toContainEqual(runtimes)
})

test('a pair of an earlier release is found beside those of later ones', async () => {
  const { chain, contracts, close } = await openEmbeddedHarness()
  if (chain instanceof URL) throw new Error('The chain is a node.')
  const client = createPublicClient({ transport: custom(chain) })
  const newest = released.map(([, runtimes]) => runtimes).at(-1)
  if (newest === undefined) throw new Error('There is no release.')
  const hash: Hex = `0x${'5a'.repeat(32)}`
  const later = { ...newest, marketplace: { ...newest.marketplace, hash } }
  const marketplace = contracts.marketplace as Hex
  const found = await findPair(client, { marketplace, known: [later, newest] })
  expect(found).toMatchObject({ kind: 'pair', pair: { marketplace, registry: contracts.registry } })
  const other = await findPair(client, { marketplace, known: [later] })
  expect(other).toMatchObject({ kind: 'foreign', name: 'MARKETPLACE_ADDRESS' })
  await close()
})
