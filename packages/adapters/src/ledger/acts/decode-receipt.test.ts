import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  type Hex,
  type Log,
  pad,
} from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import { decodeReceipt } from './decode-receipt.ts'

const addressOf = (digit: number): Hex => `0x${`${digit}`.repeat(40)}`
const pair = { registry: addressOf(1), marketplace: addressOf(2) }

/** Returns the log of an event, emitted by a contract; members that are not given have any value. */
function logOf(address: Hex, event: AbiEvent, given: Readonly<Record<string, bigint>>): Log {
  const values = event.inputs.map(({ name = '', type }) => given[name] ?? anyOf(type))
  const args = Object.fromEntries(event.inputs.map(({ name = '' }, at) => [name, values[at]]))
  const topics = encodeEventTopics({ abi: [event], args } as never)
  const inputs = event.inputs.filter(({ indexed }) => !indexed)
  const data = encodeAbiParameters(inputs, inputs.map(({ name = '' }) => args[name]) as never)
  return { address, topics, data, logIndex: 0 } as unknown as Log
}

function anyOf(type: string): bigint | Hex {
  if (type === 'address') return addressOf(4)
  return type === 'bytes32' ? pad('0x1') : 1n
}

const market = { abi: memoryMarketplaceAbi }
const forked = (address: Hex, tokenId: bigint) =>
  logOf(address, getAbiItem({ ...market, name: 'Forked' }), { tokenId })
const minted = (address: Hex, tokenId: bigint) =>
  logOf(address, getAbiItem({ abi: memoryRegistryAbi, name: 'Minted' }), { tokenId })
const withdrawn = (address: Hex, amount: bigint) =>
  logOf(address, getAbiItem({ ...market, name: 'Withdrawn' }), { amount })
const announced = (address: Hex, takeoverAt: bigint) =>
  logOf(address, getAbiItem({ abi: memoryRegistryAbi, name: 'TakeoverAnnounced' }), { takeoverAt })
const creditTaken = (address: Hex, amount: bigint) =>
  logOf(address, getAbiItem({ ...market, name: 'CreditTakenOver' }), { amount, dollars: 3n })

test('an event of another contract is no effect, wherever it stands', () => {
  const payee = addressOf(3)
  const own = [minted(pair.registry, 5n), forked(pair.marketplace, 6n)]
  const foreign = [
    ...[minted(payee, 8n), forked(payee, 9n), withdrawn(payee, 10n)],
    ...[announced(payee, 13n), creditTaken(payee, 14n)],
  ]
  // Each contract of the pair emits only its own events.
  const swapped = [minted(pair.marketplace, 11n), forked(pair.registry, 12n)]
  const expected = { tokenIds: [5n, 6n], expiresAt: undefined, withdrawn: undefined }
  for (const logs of [own, [...foreign, ...own, ...swapped], [...swapped, ...own, ...foreign]]) {
    expect(decodeReceipt(pair, { logs } as never)).toEqual(expected)
  }
  const logs = [...foreign, withdrawn(pair.marketplace, 7n)] as never
  expect(decodeReceipt(pair, { logs })).toMatchObject({ tokenIds: [], withdrawn: 7n })
  const ofHeir = [announced(pair.registry, 8n), creditTaken(pair.marketplace, 9n)]
  expect(decodeReceipt(pair, { logs: [...foreign, ...ofHeir] as never })).toMatchObject({
    tokenIds: [],
    takeoverAt: 8n,
    creditTakenOver: { amount: 9n, dollars: 3n },
  })
})
