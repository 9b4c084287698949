import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import {
  memoryMarketplaceAbi as abi,
  forwarderAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { Log } from '../acts/receipt-log.ts'
import { provesAct } from './find-proof.ts'

const account = (digit: string): Hex => `0x${digit.repeat(40)}`
const hash = (digit: string): Hex => `0x${digit.repeat(64)}`
const [marketplace, forwarder, asset] = [account('a'), account('b'), account('c')]
const [payer, seller] = [account('1'), account('2')]
const contracts = { marketplace, forwarder }

const topics = (of: unknown) => of as readonly Hex[]

const sold = (orderHash: Hex, address = marketplace): Log => {
  const eventName = 'SoldForDollars'
  const args = { tokenId: 1n, seller, recipient: payer }
  const data = encodeAbiParameters(parseAbiParameters('address, uint256, address, bytes32'), [
    ...([payer, 5n, asset, orderHash] as const),
  ])
  return { address, data, topics: topics(encodeEventTopics({ abi, eventName, args })) }
}

const refunded = (orderHash: Hex): Log => {
  const eventName = 'OrderRefunded'
  const args = { orderHash, to: payer }
  const data = encodeAbiParameters(parseAbiParameters('address, uint256'), [asset, 5n])
  return { address: marketplace, data, topics: topics(encodeEventTopics({ abi, eventName, args })) }
}

type Execution = { signer: Hex; nonce: bigint; success?: boolean; address?: Hex }

const executed = ({ signer, nonce, success = true, address = forwarder }: Execution): Log => ({
  address,
  topics: topics(
    encodeEventTopics({
      abi: forwarderAbi,
      eventName: 'ExecutedForwardRequest',
      args: { signer },
    }),
  ),
  data: encodeAbiParameters(parseAbiParameters('uint256, bool'), [nonce, success]),
})

const order = { kind: 'order', orderHash: hash('7'), asset, payer } as const
const call = { kind: 'call', signer: payer, nonce: '4' } as const

test('an order is proven by the event with its hash, of the marketplace', () => {
  expect(provesAct([sold(hash('7'))], order, contracts)).toBe(true)
})

test('a call is proven by the event with its signer and its nonce, of the forwarder', () => {
  expect(provesAct([executed({ signer: payer, nonce: 4n })], call, contracts)).toBe(true)
})

test('another transaction, which a server may name, proves nothing', () => {
  const others = [sold(hash('8')), sold(hash('7'), seller), refunded(hash('7'))]
  expect(provesAct(others, order, contracts)).toBe(false)
  const calls = [
    executed({ signer: seller, nonce: 4n }),
    executed({ signer: payer, nonce: 3n }),
    executed({ signer: payer, nonce: 4n, success: false }),
    executed({ signer: payer, nonce: 4n, address: marketplace }),
  ]
  for (const log of calls) expect(provesAct([log], call, contracts)).toBe(false)
  expect(provesAct([], call, contracts)).toBe(false)
})
