import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { repairChain, surveyChain } from './repair.ts'
import { history, receiptOf, send } from './test/requests.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { openTestChain } from './test/test-chain.ts'
import { accounts, signTransaction } from './test/transactions.ts'

const agent = accounts[0].address
const loop: Hex = '0x5b5f56'
const options = { agent, above: 500_000n, foreignCodeOf: () => ({}) }

/** Writes a history with a looping transaction of an outside client, as older versions accepted. */
async function poisonedFolder(): Promise<string> {
  const folder = temporaryFolder()
  const chain = await openTestChain(folder)
  await send(chain, await signTransaction({ nonce: 0 }))
  await send(
    chain,
    await signTransaction({ from: 1, nonce: 0, gas: 600_000n, data: loop, to: undefined }),
  )
  await send(chain, await signTransaction({ nonce: 1, gas: 700_000n }))
  await send(chain, await signTransaction({ from: 1, nonce: 1 }))
  await chain.close()
  return folder
}

const removed = [{ entry: 2, sender: accounts[1].address, nonce: 0, gas: 600_000n }]

test('a survey lists what outside clients sent above a gas limit, or from an entry on', async () => {
  const folder = await poisonedFolder()
  expect(await surveyChain({ ...options, folder })).toEqual({ entries: 4, costly: removed })
  const later = await surveyChain({ ...options, folder, from: 3 })
  expect(later.costly.map(({ entry }) => entry)).toEqual([2, 4])
  const own = await surveyChain({
    ...options,
    folder,
    foreignCodeOf: ({ data }) => (data === loop ? undefined : {}),
  })
  expect(own.costly).toEqual([])
})

test('a repair that does not write changes nothing', async () => {
  const folder = await poisonedFolder()
  const before = await surveyChain({ ...options, folder })
  const report = await repairChain({ ...options, folder, write: false })
  expect(report).toMatchObject({ entries: 4, removed, refused: [], backup: undefined })
  expect(await surveyChain({ ...options, folder })).toEqual(before)
})

test('a repair keeps every other transaction in its block, and the chain opens', async () => {
  const folder = await poisonedFolder()
  const { backup } = await repairChain({ ...options, folder, write: true })
  expect(existsSync(join(folder, backup ?? ''))).toBe(true)
  expect((await surveyChain({ ...options, folder })).costly).toEqual([])
  const chain = await openTestChain(folder)
  const blocks = await history(chain)
  expect(blocks).toHaveLength(5)
  for (const [number, raw] of [
    ['0x1', await signTransaction({ nonce: 0 })],
    ['0x3', await signTransaction({ nonce: 1, gas: 700_000n })],
    ['0x4', await signTransaction({ from: 1, nonce: 1 })],
  ] as const) {
    const receipt = await receiptOf(chain, keccak256(raw))
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: number })
  }
  await send(chain, await signTransaction({ from: 1, nonce: 2 }))
  const extended = await history(chain)
  await chain.close()
  expect(await history(await openTestChain(folder))).toEqual(extended)
})

test('a repair reports the transactions that depended on removed ones', async () => {
  const folder = temporaryFolder()
  const chain = await openTestChain(folder)
  const poor = accounts[2]
  const rich = 10_000n * 10n ** 18n
  // The third account spends nearly everything, and is then funded by a costly transaction.
  const spent = rich - 10n ** 17n
  await send(
    chain,
    await signTransaction({ from: 2, nonce: 0, to: agent, value: spent, gas: 21_000n }),
  )
  const paid = { from: 1, nonce: 0, to: poor.address, value: 10n ** 18n, gas: 600_000n }
  await send(chain, await signTransaction(paid))
  const value = 10n ** 18n
  await send(chain, await signTransaction({ from: 2, nonce: 1, to: agent, value, gas: 21_000n }))
  await send(chain, await signTransaction({ nonce: 0 }))
  await chain.close()
  const report = await repairChain({ ...options, folder, write: true })
  expect(report).toMatchObject({ removed: [{ entry: 2 }], refused: [3] })
  expect(await history(await openTestChain(folder))).toHaveLength(5)
})

test('a folder without a chain is refused, and no chain is created', async () => {
  const folder = temporaryFolder()
  await expect(surveyChain({ ...options, folder })).rejects.toMatchObject({
    code: 'folder/unusable',
    facts: { problem: 'it holds no chain' },
  })
})
