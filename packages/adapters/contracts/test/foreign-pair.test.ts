import {
  type Address,
  concatHex,
  domainSeparator,
  getContractAddress,
  type Hex,
  pad,
  size,
  toHex,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { findPair } from '../../src/ledger/contract-pair.ts'
import { runtimes } from '../../src/ledger/contracts.generated.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'

const attacker = party(7)
const parts = ['marketplace', 'registry', 'forwarder', 'depositCode'] as const

type Part = (typeof parts)[number]
type Addresses = Readonly<Record<Part, Address>>

let harness: ContractHarness

beforeAll(async () => {
  harness = await openContractHarness()
})

/** Replaces immutable values of deployed code, by name. */
function withImmutables(code: Hex, part: Part, values: Readonly<Record<string, Hex>>): Hex {
  return runtimes[part].immutables.reduce<Hex>((text, { name, start, length }) => {
    const value = values[name]
    if (!value) return text
    const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)]
    return `${text.slice(0, from)}${pad(value).slice(2)}${text.slice(to)}` as Hex
  }, code)
}

/** Deploys runtime code as it is, as a foreign constructor can. */
async function deployCode(code: Hex): Promise<Address> {
  const length = toHex(size(code), { size: 2 })
  // Returns the bytes that follow these twelve.
  const bytecode = concatHex(['0x61', length, '0x80600c6000396000f3', code])
  const hash = await harness.client.deployContract({ abi: [], bytecode, account: attacker })
  const { contractAddress } = await harness.client.getTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('No contract was deployed.')
  return contractAddress
}

type Changes = Readonly<Partial<Record<Part, Readonly<Record<string, Hex>> | Hex>>>

/** Deploys copies of our code that know each other, with changes. */
async function copyPair(changes: Changes = {}): Promise<Addresses> {
  const { client, marketplace, registry, forwarder } = harness
  const depositCode = await marketplace.read.depositCode()
  const originals = { marketplace, registry, forwarder, depositCode: { address: depositCode } }
  const first = await client.getTransactionCount(attacker)
  const at = (index: number) =>
    getContractAddress({ from: attacker.address, nonce: BigInt(first + index) })
  const copies: Addresses = {
    marketplace: at(0),
    registry: at(1),
    forwarder: at(2),
    depositCode: at(3),
  }
  const separator = separatorOf(copies.forwarder)
  const values = {
    marketplace: {
      registry: copies.registry,
      _trustedForwarder: copies.forwarder,
      depositCode: copies.depositCode,
    },
    registry: { marketplace: copies.marketplace, _trustedForwarder: copies.forwarder },
    forwarder: { _cachedThis: copies.forwarder, _cachedDomainSeparator: separator },
    depositCode: { _marketplace: copies.marketplace },
  }
  for (const part of parts) {
    const code = await client.getCode(originals[part])
    const change = changes[part]
    const copied = withImmutables(code ?? '0x', part, {
      ...values[part],
      ...(typeof change === 'object' ? change : {}),
    })
    expect(await deployCode(typeof change === 'string' ? change : copied)).toBe(
      copies[part].toLowerCase(),
    )
  }
  return copies
}

function separatorOf(verifyingContract: Address): Hex {
  const { id: chainId } = harness.client.chain
  return domainSeparator({
    domain: { name: 'Heirloom Forwarder', version: '1', chainId, verifyingContract },
  })
}

const search = (marketplace: Address) => findPair(harness.client as never, { marketplace })

test('copies of our code that know each other are a pair: code is all that is compared', async () => {
  const copies = await copyPair()
  expect(await search(copies.marketplace)).toMatchObject({ kind: 'pair' })
})

describe('a pair that looks like ours is refused', () => {
  const other = attacker.address
  // Jumps nowhere: forwards nothing, but could be anything.
  const foreignCode = '0x5b00'

  test.for<readonly [string, Changes]>([
    ['with a forwarder of another code', { forwarder: foreignCode }],
    ['with deposits of another code', { depositCode: foreignCode }],
    ['with a registry of another code', { registry: foreignCode }],
    ['with a forwarder that signs for another domain', { forwarder: { _cachedThis: other } }],
    [
      'with a forwarder of another separator',
      { forwarder: { _cachedDomainSeparator: pad(other) } },
    ],
    ['with a forwarder of another chain', { forwarder: { _cachedChainId: toHex(1) } }],
    ['with a forwarder of another name', { forwarder: { _hashedName: pad(other) } }],
    ['with a forwarder of another version', { forwarder: { _hashedVersion: pad(other) } }],
    ['whose registry trusts another forwarder', { registry: { _trustedForwarder: other } }],
    ['whose marketplace trusts another forwarder', { marketplace: { _trustedForwarder: other } }],
    ['whose registry obeys another marketplace', { registry: { marketplace: other } }],
    ['whose deposits obey another marketplace', { depositCode: { _marketplace: other } }],
    ['whose marketplace names another registry', { marketplace: { registry: other } }],
    ['whose marketplace names other deposits', { marketplace: { depositCode: other } }],
  ])('%s', async ([, changes]) => {
    const { marketplace } = await copyPair(changes)
    expect(await search(marketplace)).toMatchObject({ kind: 'foreign' })
  })
})

test('a forwarder of one place with one value and of another with another is refused', async () => {
  const { client, marketplace } = harness
  const code = (await client.getCode(marketplace)) ?? '0x'
  const [place] = runtimes.marketplace.immutables.filter(({ name }) => name === '_trustedForwarder')
  if (!place) throw new Error('The forwarder is nowhere.')
  const from = 2 + 2 * place.start
  const word = pad(attacker.address).slice(2)
  const forged = `${code.slice(0, from)}${word}${code.slice(from + 64)}` as Hex
  expect(await search(await deployCode(forged))).toMatchObject({ kind: 'foreign' })
})
