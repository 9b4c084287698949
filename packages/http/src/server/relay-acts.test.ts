import type { Relay, RelayedAct } from '@heirloom/adapters/internal/relay'
import { account, wei } from '@heirloom/core'
import { expect, test } from 'vitest'
import type { ApiKey } from './api-keys/key-ring.ts'
import { relayActs, type SignedAct } from './relay-acts.ts'

const settings = {
  gas: 500_000n,
  leastOrder: 10_000n,
  perAct: wei(1n),
  perAccount: wei(2n),
  perClient: wei(3n),
  perDay: wei(4n),
}
const [ada, eve] = ['a', 'e'].map((it) => account(`0x${it.repeat(40)}`))
const order = { recipient: ada, refundTo: ada }
const done: RelayedAct = { act: 'mint', txHash: '0x', tokenIds: [], expiresAt: undefined }

/** Returns the budgets that an act counts against. */
async function budgetsOf(signed: object, key?: ApiKey, given = settings) {
  const seen: object[] = []
  const record = async (_: unknown, { budgets }: { readonly budgets: readonly object[] }) => {
    seen.push(...budgets)
    return done
  }
  const relay = { forward: record, payOrder: record, settle: record, refund: record }
  const acts = relayActs(relay as unknown as Relay, { settings: given })
  expect(await acts(signed as SignedAct, { name: 'here', key })).toBe(done)
  return seen
}

const client = { name: 'relay client here', perDay: 3n }
const server = { name: 'relay server', perCall: 1n, perDay: 4n }

test('what an account signed counts for it, for the client and for the day', async () => {
  const own = { name: `relay account ${ada}`.toLowerCase(), perDay: 2n }
  const signed = [
    { kind: 'forward', request: { from: ada } },
    { kind: 'payOrder', payment: { payer: ada, order: { ...order, recipient: eve } } },
  ]
  for (const act of signed) expect(await budgetsOf(act)).toEqual([own, client, server])
})

test('what anyone may have paid for an account counts for the client and for the day alone', async () => {
  const unsigned = [
    { kind: 'settle', settlement: { order } },
    { kind: 'settle', settlement: { order, authorization: { payer: ada } } },
    { kind: 'refund', refund: { order, asset: eve } },
  ]
  for (const act of unsigned) expect(await budgetsOf(act)).toEqual([client, server])
})

test('every act is bounded, on loopback too, and by the key that asks for it', async () => {
  const key: ApiKey = { name: 'shop', scope: 'write' }
  const perClient = undefined
  const act = { kind: 'settle', settlement: { order } }
  expect(await budgetsOf(act, key, { ...settings, perClient } as never)).toEqual([server, key])
})
