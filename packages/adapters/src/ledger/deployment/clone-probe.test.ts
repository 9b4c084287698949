import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Evm, openEvm } from '../../embedded-chain/evm.ts'
import { cloneProbe } from './simulate.ts'

let evm: Evm
beforeAll(async () => {
  evm = await openEvm({ chainId: 31337, genesisTime: 1_800_000_000, accounts: [] })
})
afterAll(() => evm.close())

/** Simulates a creation, and returns whether it succeeds. */
const succeeds = (data: Hex) =>
  evm.request({ method: 'eth_call', params: [{ data, gas: toHex(1_000_000) }, 'latest'] }).then(
    () => true,
    () => false,
  )

test('a clone is where CREATE2 says, and runs the code that it is a clone of', async () => {
  expect(await succeeds(cloneProbe)).toBe(true)
})

test.each([
  ['another first byte of the text that is hashed', '60ff60a053', '60fe60a053'],
  ['another salt than the one hashed', '600160b552', '600260b552'],
  ['clones of other code', `${'0'.repeat(39)}45af4`, `${'0'.repeat(39)}55af4`],
])('the probe fails with %s', async (_, found, other) => {
  const probe = cloneProbe.replace(found, other) as Hex
  expect(probe).not.toBe(cloneProbe)
  expect(await succeeds(probe)).toBe(false)
})
