import { Failure } from '@heirloom/core'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { deferredChain } from './deferred-chain.ts'
import { type EmbeddedChain, startOpening } from './embedded-chain.ts'
import { history, send } from './test/requests.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { noon, openTestChain, threeTransfers } from './test/test-chain.ts'
import { signTransaction } from './test/transactions.ts'

const startChain = (folder: string) => startOpening({ folder, now: () => noon, funded: [] })

const firstHash = async (chain: EmbeddedChain): Promise<unknown> => {
  const params = ['0x0', false]
  return chain.request({ method: 'eth_getBlockByNumber', params })
}

test('an opening chain reports its genesis and first transaction', async () => {
  const folder = temporaryFolder()
  const fresh = await startChain(folder)
  expect(fresh).toMatchObject({ chainId: 31337, first: undefined })
  await fresh.close()
  const blocks = await threeTransfers(folder)
  const again = await startChain(folder)
  expect(again).toMatchObject({
    genesis: fresh.genesis,
    first: await signTransaction({ nonce: 0 }),
  })
  const chain = await again.opened
  expect(await firstHash(chain)).toMatchObject({ hash: fresh.genesis })
  expect(await history(chain)).toEqual(blocks)
  await again.close()
})

test('an opening that is given up frees the folder, and loses nothing', async () => {
  const folder = temporaryFolder()
  const blocks = await threeTransfers(folder)
  const abandoned = await startChain(folder)
  abandoned.giveUp()
  await expect(abandoned.opened).rejects.toMatchObject({ code: 'ledger/unavailable' })
  await abandoned.close()
  expect(await history(await openTestChain(folder))).toEqual(blocks)
})

test('a deferred chain answers once the chain is open', async () => {
  const { promise, resolve } = Promise.withResolvers<EmbeddedChain>()
  const chain = deferredChain(promise)
  let changes = 0
  const removeListener = chain.onState(() => {
    changes += 1
  })
  const method = 'eth_blockNumber'
  const requests = [
    chain.request({ method }),
    chain.handleRpc({ jsonrpc: '2.0', id: 1, method }, 'me'),
  ]
  expect([chain.isOpen(), chain.stateVersion(), changes]).toEqual([false, undefined, 0])
  const open = await openTestChain(temporaryFolder())
  resolve(open)
  await chain.opened
  // Opening counts as a change, because callers may have seen no state before.
  expect([chain.isOpen(), chain.stateVersion(), changes]).toEqual([true, open.stateVersion(), 1])
  expect(await Promise.all(requests)).toEqual([
    '0x0',
    { answer: { jsonrpc: '2.0', id: 1, result: '0x0' } },
  ])
  await send(chain, await signTransaction({ nonce: 0 }))
  expect([await chain.request({ method }), changes]).toEqual(['0x1', 2])
  expect(chain.stateVersion()).toBe(open.stateVersion())
  removeListener()
  await send(chain, await signTransaction({ nonce: 1 }))
  expect(changes).toBe(2)
})

test('requests to a deferred chain fail when it does not open', async () => {
  const facts = { entry: 2, expected: '0x1', actual: '0x2' }
  const cause = new Failure('journal/diverged', facts)
  const { promise, reject } = Promise.withResolvers<EmbeddedChain>()
  const chain = deferredChain(promise)
  const early = chain.request({ method: 'eth_call', params: [] as readonly Hex[] })
  reject(cause)
  for (const sent of [early, chain.handleRpc({}, 'me')]) {
    await expect(sent).rejects.toMatchObject({ code: 'ledger/unavailable', cause })
  }
  await expect(chain.opened).rejects.toBe(cause)
  expect(chain.isOpen()).toBe(false)
})
