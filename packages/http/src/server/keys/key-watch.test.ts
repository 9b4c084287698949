import { account } from '@heirloom/core'
import { expect, test } from 'vitest'
import { keyWatch } from './key-watch.ts'

const address = `0x${'1'.repeat(40)}` as const
const silent = (part: string) => ({ code: 'service/part-silent', facts: { part } })

/** Watches the memories of a chain without tokens, which answers once `open` is called. */
function watchSlowChain(options: Pick<keyWatch.Input, 'owners' | 'losses'>) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const request = async () => {
    await opened
    return `0x${'0'.repeat(64)}`
  }
  const contracts = { registry: address, marketplace: address }
  const watch = keyWatch({
    chain: { source: { request }, contracts, ready: Promise.resolve() } as never,
    head: async () => new Uint8Array(),
    keys: { facts: () => [] },
    isOurs: async () => true,
    onMissing: () => undefined,
    ...options,
  })
  return { watch, open }
}

test('is silent of keys and memories until the memories were counted once', async () => {
  const { watch, open } = watchSlowChain({ owners: [account(address)] })
  await expect(watch.requireMemories()).rejects.toMatchObject(silent('memories'))
  await expect(watch.requireAll()).rejects.toMatchObject(silent('keys'))
  open()
  await expect.poll(() => watch.requireMemories().then(() => 'counted', String)).toBe('counted')
  await watch.requireAll()
})

test('waits for no count where no memory must be here', async () => {
  const { watch } = watchSlowChain({ owners: [], losses: 'only-all' })
  await Promise.all([watch.requireMemories(), watch.requireAll()])
})
