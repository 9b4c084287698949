import { account, tokenId } from '@heirloom/core'
import { expect, test } from 'vitest'
import { never, orderOf, readPaidAct, saltAt } from './paid-act.ts'
import { openPaidActs } from './paid-acts.ts'
import type { Payment } from './payment.ts'

const [asset, marketplace, recipient] = ['1', '2', '3'].map((it) => account(`0x${it.repeat(40)}`))
const dollar = { chainId: 1, address: asset as `0x${string}`, name: 'Dollar', version: '1' }
const paidAct = readPaidAct('rent', tokenId(7n), { recipient, durationDays: '1' })

/** Opens paid acts over a chain that never answers the first question, and answers all others. */
function openSlow() {
  let questions = 0
  const answerLater = async <T>(answer: T): Promise<T> => {
    questions += 1
    return questions === 1 ? new Promise<never>(() => undefined) : answer
  }
  const orders = {
    locate: () => ({ orderHash: '0x', deposit: marketplace }),
    look: () => answerLater({ state: 'settled', balance: 0n, isOpen: false }),
    standing: () => answerLater({ isOwner: true, transferCount: 0n, expiresAt: 0n, asOf: 0n }),
  }
  return openPaidActs({
    orders,
    dollar,
    asset,
    leastOrder: 1n,
    clock: { now: () => 0 },
    catalogue: { token: async () => undefined },
    contracts: { registry: marketplace, marketplace, forwarder: marketplace, depositCode: asset },
    unfinished: async () => [],
    settled: async () => undefined,
  } as never)
}

const choice = { price: 5n, salt: saltAt(0n, 0), deadline: never }
const order = orderOf(paidAct, { ...choice, asset: account(dollar.address) })
const paid = { scheme: 'exact', network: 'eip155:1', order, authorization: { to: marketplace } }

test.each([
  ['an answer', undefined],
  ['a payment', paid as unknown as Payment],
])('nobody waits for %s that another client asks for in the same name', async (_, payment) => {
  const paidActs = openSlow()
  const ask = (name: string) =>
    paidActs.answer(paidAct, { client: { name, key: undefined }, payment })
  void ask('eve')
  expect(await ask('ada')).toMatchObject({ kind: 'done' })
})
