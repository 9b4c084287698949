import { Failure } from '@heirloom/core'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { deferredChain } from './deferred-chain.ts'
import { type EmbeddedChain, startOpening } from './embedded-chain.ts'
import { history, send } from './test/requests.ts'
import { noon, opened, threeTransfers } from './test/test-chain.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { signed } from './test/transactions.ts'

const opening = (folder: string) => startOpening({ folder, now: () => noon, funded: [] })

const firstHash = async (chain: EmbeddedChain): Promise<unknown> => {
  const params = ['0x0', false]
  return chain.request({ method: 'eth_getBlockByNumber', params })
}

test('a chain tells where it begins before it is open', async () => {
  const folder = temporaryFolder()
  const fresh = await opening(folder)
  expect(fresh).toMatchObject({ chainId: 31337, first: undefined })
  await fresh.close()
  const blocks = await threeTransfers(folder)
  const again = await opening(folder)
  expect(again).toMatchObject({ genesis: fresh.genesis, first: await signed({ nonce: 0 }) })
  const chain = await again.opened
  expect(await firstHash(chain)).toMatchObject({ hash: fresh.genesis })
  expect(await history(chain)).toEqual(blocks)
  await again.close()
})

test('an opening that is given up lets go of the folder, and loses nothing', async () => {
  const folder = temporaryFolder()
  const blocks = await threeTransfers(folder)
  const given = await opening(folder)
  given.giveUp()
  await expect(given.opened).rejects.toMatchObject({ code: 'ledger/unavailable' })
  await given.close()
  expect(await history(await opened(folder))).toEqual(blocks)
})

test('a chain that is deferredChain answers as the chain does, once it is open', async () => {
  const { promise, resolve } = Promise.withResolvers<EmbeddedChain>()
  const chain = deferredChain(promise)
  let changes = 0
  const leave = chain.onState(() => {
    changes += 1
  })
  const method = 'eth_blockNumber'
  const asked = [
    chain.request({ method }),
    chain.handleRpc({ jsonrpc: '2.0', id: 1, method }, 'me'),
  ]
  expect([chain.isOpen(), chain.stateVersion(), changes]).toEqual([false, undefined, 0])
  const open = await opened(temporaryFolder())
  resolve(open)
  await chain.opened
  // Whoever waits for a change may have been told nothing yet.
  expect([chain.isOpen(), chain.stateVersion(), changes]).toEqual([true, open.stateVersion(), 1])
  expect(await Promise.all(asked)).toEqual([
    '0x0',
    { answer: { jsonrpc: '2.0', id: 1, result: '0x0' } },
  ])
  await send(chain, await signed({ nonce: 0 }))
  expect([await chain.request({ method }), changes]).toEqual(['0x1', 2])
  expect(chain.stateVersion()).toBe(open.stateVersion())
  leave()
  await send(chain, await signed({ nonce: 1 }))
  expect(changes).toBe(2)
})

test('what waits for a chain that does not open is told that it does not answer', async () => {
  const facts = { entry: 2, expected: '0x1', actual: '0x2' }
  const cause = new Failure('journal/diverged', facts)
  const { promise, reject } = Promise.withResolvers<EmbeddedChain>()
  const chain = deferredChain(promise)
  const early = chain.request({ method: 'eth_call', params: [] as readonly Hex[] })
  reject(cause)
  for (const asked of [early, chain.handleRpc({}, 'me')]) {
    await expect(asked).rejects.toMatchObject({ code: 'ledger/unavailable', cause })
  }
  await expect(chain.opened).rejects.toBe(cause)
  expect(chain.isOpen()).toBe(false)
})
