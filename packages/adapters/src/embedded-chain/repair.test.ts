import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { repairChain, surveyChain } from './repair.ts'
import { history, receiptOf, send } from './test/requests.ts'
import { opened } from './test/test-chain.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { accounts, signed } from './test/transactions.ts'

const agent = accounts[0].address
const loop: Hex = '0x5b5f56'
const options = { agent, above: 500_000n, runsOwnCode: () => false }

/** Leaves a history with one looping transaction of a stranger, as nothing once refused it. */
async function poisoned(): Promise<string> {
  const folder = temporaryFolder()
  const chain = await opened(folder)
  await send(chain, await signed({ nonce: 0 }))
  await send(chain, await signed({ from: 1, nonce: 0, gas: 600_000n, data: loop, to: undefined }))
  await send(chain, await signed({ nonce: 1, gas: 700_000n }))
  await send(chain, await signed({ from: 1, nonce: 1 }))
  await chain.close()
  return folder
}

const removed = [{ entry: 2, sender: accounts[1].address, nonce: 0, gas: 600_000n }]

test('a survey lists what strangers sent above a gas limit, or from an entry on', async () => {
  const folder = await poisoned()
  expect(await surveyChain({ ...options, folder })).toEqual({ entries: 4, costly: removed })
  const later = await surveyChain({ ...options, folder, from: 3 })
  expect(later.costly.map(({ entry }) => entry)).toEqual([2, 4])
  const ours = await surveyChain({ ...options, folder, runsOwnCode: ({ data }) => data === loop })
  expect(ours.costly).toEqual([])
})

test('a repair that does not write changes nothing', async () => {
  const folder = await poisoned()
  const before = await surveyChain({ ...options, folder })
  const report = await repairChain({ ...options, folder, write: false })
  expect(report).toMatchObject({ entries: 4, removed, refused: [], backup: undefined })
  expect(await surveyChain({ ...options, folder })).toEqual(before)
})

test('a repair leaves every other transaction in its block, and a chain that opens', async () => {
  const folder = await poisoned()
  const { backup } = await repairChain({ ...options, folder, write: true })
  expect(existsSync(join(folder, backup ?? ''))).toBe(true)
  expect((await surveyChain({ ...options, folder })).costly).toEqual([])
  const chain = await opened(folder)
  const blocks = await history(chain)
  expect(blocks).toHaveLength(5)
  for (const [number, raw] of [
    ['0x1', await signed({ nonce: 0 })],
    ['0x3', await signed({ nonce: 1, gas: 700_000n })],
    ['0x4', await signed({ from: 1, nonce: 1 })],
  ] as const) {
    const receipt = await receiptOf(chain, keccak256(raw))
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: number })
  }
  await send(chain, await signed({ from: 1, nonce: 2 }))
  const grown = await history(chain)
  await chain.close()
  expect(await history(await opened(folder))).toEqual(grown)
})

test('a repair says which transactions cannot be carried out without those removed', async () => {
  const folder = temporaryFolder()
  const chain = await opened(folder)
  const poor = accounts[2]
  const rich = 10_000n * 10n ** 18n
  // The third account gives everything but a little away, and is paid by a large transaction.
  const spent = rich - 10n ** 17n
  await send(chain, await signed({ from: 2, nonce: 0, to: agent, value: spent, gas: 21_000n }))
  const paid = { from: 1, nonce: 0, to: poor.address, value: 10n ** 18n, gas: 600_000n }
  await send(chain, await signed(paid))
  const value = 10n ** 18n
  await send(chain, await signed({ from: 2, nonce: 1, to: agent, value, gas: 21_000n }))
  await send(chain, await signed({ nonce: 0 }))
  await chain.close()
  const report = await repairChain({ ...options, folder, write: true })
  expect(report).toMatchObject({ removed: [{ entry: 2 }], refused: [3] })
  expect(await history(await opened(folder))).toHaveLength(5)
})

test('a folder without a chain is refused, and none is made there', async () => {
  const folder = temporaryFolder()
  await expect(surveyChain({ ...options, folder })).rejects.toMatchObject({
    code: 'folder/unusable',
    facts: { problem: 'it holds no chain' },
  })
})
