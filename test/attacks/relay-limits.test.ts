import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newWallet, requiredBy, shopAt, signPayment } from '../harness/payments/shop.ts'
import { hostServer } from '../harness/process/server.ts'
import { relayerAt } from '../harness/relayer.ts'

/** Starts a server for one test, on which an account may have a few acts relayed in a day. */
async function openBounded(more: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'relay-'))
  const limits = { RELAY_SPEND_PER_ACCOUNT: '500000000000000', ...more }
  const server = await hostServer({ DATA_DIR: home, ...limits })
  onTestFinished(async () => {
    await server.end()
    rmSync(home, { recursive: true })
  })
  return { relayer: await relayerAt(server.url), shop: await shopAt(server.url) }
}

test('what an account may cost in a day is bounded, and what all may', async () => {
  const { relayer } = await openBounded({ RELAY_SPEND_PER_DAY: '1200000000000000' })
  const mintUntilRefused = async () => {
    const ada = newWallet()
    for (let minted = 0; minted < 50; minted++) {
      const reply = await relayer.relay(await relayer.sign(ada, relayer.mint(ada.address)))
      if (reply.status !== 201) return { minted, reply }
    }
    throw new Error('There was no limit.')
  }
  const whose: (string | undefined)[] = []
  for (let account = 0; account < 12; account++) {
    const { reply } = await mintUntilRefused()
    expect(reply).toMatchObject({ status: 402, code: 'relay/day-limit' })
    whose.push((reply as { readonly facts?: { readonly whose?: string } }).facts?.whose)
  }
  expect(whose[0]).toBe('account')
  expect(whose.at(-1)).toBe('server')
})

test('orders that strangers pay for an account leave it what it may have relayed', async () => {
  const { relayer, shop } = await openBounded()
  const [victim, eve] = [newWallet(), newWallet()]
  await shop.fund(eve.address)
  const id = await shop.offer({ price: '5000000' })
  const royalty = (name: number) =>
    `${shop.url}/api/x402/royalty/${id}?recipient=${victim.address}&amount=10000&id=${name}`
  for (let name = 0; name < 8; name++) {
    const { accepts } = requiredBy(await fetch(royalty(name)))
    // Eve pays to the address of the order herself: nobody has signed anything for the server.
    await shop.useEarly(await signPayment(eve, { accepts }))
    expect((await fetch(royalty(name))).status).toBe(200)
  }
  const minted = await relayer.relay(await relayer.sign(victim, relayer.mint(victim.address)))
  expect(minted).toMatchObject({ status: 201, act: 'mint' })
})
