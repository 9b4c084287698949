import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { interceptingProxy } from '../../../test/intercepting-proxy.ts'
import { ada, ben, mintFor, startWalletHarness } from '../../../test/wallet-harness.ts'

const program = fileURLToPath(new URL('../../cli.ts', import.meta.url))
const bensKey = `0x${Buffer.from(ben.getHdKey().privateKey ?? []).toString('hex')}`
const free = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }

let harness: Awaited<ReturnType<typeof startWalletHarness>>
beforeAll(async () => {
  harness = await startWalletHarness()
  return harness.close
})

/** Opens a token that is for rent, and commands of Ben whose node is behind a proxy. */
async function openRental() {
  const tokenId = await mintFor(harness, ada)
  await (await harness.walletOf(ada)).list({ ...free, tokenId, rentalPricePerDay: 1000n })
  const [proxy, state] = [
    await interceptingProxy(harness.url),
    mkdtempSync(join(tmpdir(), 'kill-')),
  ]
  onTestFinished(async () => {
    await proxy[Symbol.asyncDispose]()
    rmSync(state, { recursive: true })
  })
  const start = (key: string, days = '2') => {
    const words = ['rent', tokenId, '--days', days, '--max-price', '2000', '--yes', '--json']
    const own = ['--as-wallet', '--idempotency-key', key, '--rpc-url', `${proxy.url}/rpc`]
    const env = {
      PATH: process.env.PATH,
      HEIRLOOM_STATE_DIR: state,
      HEIRLOOM_URL: harness.url,
      HEIRLOOM_PRIVATE_KEY: bensKey,
    }
    const child = spawn(process.execPath, [program, ...words, ...own], { env })
    const ends = [text(child.stdout), text(child.stderr), once(child, 'exit')] as const
    const ended = Promise.all(ends).then(([out, err, [, signal]]) => ({ out, err, signal }))
    return { child, ended }
  }
  const nonceOf = () => harness.node.getTransactionCount({ address: ben.address })
  return { proxy, start, nonceOf }
}

test.each([
  ['before its transaction is sent', false],
  ['after its transaction was sent', true],
])('a rental whose process is killed %s is paid once for one key', async (_, isSent) => {
  const { proxy, start, nonceOf } = await openRental()
  const [before, key] = [await nonceOf(), `key-${isSent}`]
  const first = start(key)
  proxy.intercept(async ({ body }, forward) => {
    if (JSON.parse(`${body}`).method !== 'eth_sendRawTransaction') return forward()
    if (isSent) await forward()
    first.child.kill('SIGKILL')
    return undefined
  })
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(await nonceOf()).toBe(before + (isSent ? 1 : 0))
  proxy.intercept((__, forward) => forward())
  const [rented, again] = [await start(key).ended, await start(key).ended]
  expect(JSON.parse(rented.out)).toMatchObject({ txHash: expect.any(String) })
  expect(JSON.parse(again.out)).toEqual(JSON.parse(rented.out))
  expect(await nonceOf()).toBe(before + 1)
  expect((await start(key, '1').ended).err).toContain('idempotency/key-reused')
})
