import {
  type Abi,
  type Address,
  concatHex,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  parseEventLogs,
  size,
  type TransactionReceipt,
  toHex,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { actsOn, everyOffer, marketEvents, word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { type Call, type Receiver, receiver, send } from './receivers.ts'
import { type Refusal, refusalOf } from './refusal.ts'

const [creator, other, operator] = [party(1), party(2), party(3)]

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

// calldatasize push0 push0 calldatacopy calldatasize push0 revert
const revertWithCalldata = '0x365f5f37365ffd'
// push1 1 push0 revert
const revertWithOneByte = '0x60015ffd'
// push4 selector push1 224 shl push0 mstore push1 31 push0 return
const confirmOneByteShort = '0x63150b7a0260e01b5f52601f5ff3'
// gas push0 sstore calldatasize push1 1 sstore
const storeGasAndSize = '0x5a5f5536600155'

/** Changes state in a way that no transaction can. */
function setState(method: string, params: readonly unknown[]): Promise<unknown> {
  return harness.client.request({ method, params } as never)
}

/** Deploys runtime code. */
function deployCode(code: Hex): Promise<Address> {
  const length = toHex(size(code), { size: 1 })
  // Returns the bytes that follow these ten.
  const bytecode = concatHex(['0x60', length, '0x600a5f3960', length, '0x5ff3', code])
  return harness.deploy({ abi: [], bytecode })
}

/** Calls the registry from an account or a contract. */
function callRegistry(
  caller: Receiver | typeof creator,
  functionName: string,
  args: readonly unknown[],
): Promise<TransactionReceipt> {
  const { address, abi } = harness.registry
  return harness.mined(send(harness, caller, { address, abi, functionName, args }))
}

test('an approval event names the contract that approves', async () => {
  const wallet = await receiver(harness, 'Actor')
  const tokenId = await acts.mint(creator, wallet.address)
  const one = await callRegistry(wallet, 'approve', [operator.address, tokenId])
  const all = await callRegistry(wallet, 'setApprovalForAll', [operator.address, true])
  const logs = [...one.logs, ...all.logs]
  const events = parseEventLogs({ abi: memoryRegistryAbi, logs })
  expect(events.map(({ eventName, args }) => [eventName, args])).toEqual([
    ['Approval', { owner: wallet.address, approved: operator.address, tokenId }],
    ['ApprovalForAll', { owner: wallet.address, operator: operator.address, approved: true }],
  ])
})

// An error with the signature of the call decodes the call that a mirror contract reverts with.
const receiverError = parseAbi(['error onERC721Received(address, address, uint256, bytes)'])
const depositAbi: Abi = parseAbi(['function pull(address, address, uint256) returns (bool)'])
const errors: Abi = [...memoryRegistryAbi, ...memoryMarketplaceAbi, ...receiverError]

/** Returns the error of a call that a contract makes for another account. */
async function refusalThrough(wallet: Receiver, call: Call): Promise<Refusal> {
  const args = [call.address, 0n, encodeFunctionData(call)]
  const act = { ...wallet, functionName: 'act', args, account: party(0) }
  const { facts } = await refusalOf(harness.client.simulateContract(act))
  const { errorName, args: reasons = [] } = decodeErrorResult({
    abi: errors,
    data: String(facts[0]) as Hex,
  })
  return { name: errorName, facts: reasons }
}

describe('a contract', () => {
  test('owns, approves and transfers for itself, whatever account sent the transaction', async () => {
    const { read } = harness.registry
    const [wallet, agent] = [await receiver(harness, 'Actor'), await receiver(harness, 'Actor')]
    const tokenId = await acts.mint(creator, wallet.address)
    await callRegistry(wallet, 'approve', [agent.address, tokenId])
    expect(await read.getApproved([tokenId])).toBe(agent.address)
    await callRegistry(agent, 'transferFrom', [wallet.address, agent.address, tokenId])
    await callRegistry(agent, 'transferFrom', [agent.address, wallet.address, tokenId])
    await callRegistry(wallet, 'setApprovalForAll', [agent.address, true])
    expect(await read.isApprovedForAll([wallet.address, agent.address])).toBe(true)
    await callRegistry(agent, 'approve', [other.address, tokenId])
    await callRegistry(agent, 'transferFrom', [wallet.address, other.address, tokenId])
    expect(await read.holdingOf([tokenId])).toEqual([other.address, 3n])
  })

  test('is named in the error, not the account that sent the transaction', async () => {
    const { registry, marketplace } = harness
    const wallet = await receiver(harness, 'Actor')
    const { address } = wallet
    const tokenId = await acts.mint(party(0))
    const transfer = [party(0).address, address, tokenId]
    const deposit = { address: await marketplace.read.depositCode(), abi: depositAbi }
    const attempts = [
      [deposit, 'pull', [address, address, 1n], 'CallerNotMarketplace', [address]],
      [registry, 'approve', [address, tokenId], 'ERC721InvalidApprover', [address]],
      [registry, 'transferFrom', transfer, 'ERC721InsufficientApproval', [address, tokenId]],
      [registry, 'transferOnSale', [tokenId, address], 'CallerNotMarketplace', [address]],
      [marketplace, 'withdraw', [address], 'CreditEmpty', [address]],
    ] as const
    for (const [contract, functionName, args, name, facts] of attempts) {
      const call = { ...contract, functionName, args }
      expect(await refusalThrough(wallet, call)).toEqual({ name, facts })
    }
    const list = { ...marketplace, functionName: 'list', args: [tokenId, 1n, 1n, 1n, 1n] }
    const facts = [tokenId, party(0).address, address]
    expect(await refusalThrough(wallet, list)).toEqual({ name: 'ListingNotOwner', facts })
  })

  test('is the creator of a token that it mints for its caller', async () => {
    const wallet = await receiver(harness, 'Actor')
    await callRegistry(wallet, 'mint', [party(0).address, word(7), word(8), 0n])
    const { read } = harness.registry
    const tokenId = await read.totalSupply()
    expect(await read.creatorOf([tokenId])).toBe(wallet.address)
    expect(await read.ownerOf([tokenId])).toBe(party(0).address)
  })

  test('is named as the payer', async () => {
    const { marketplace, mined } = harness
    const wallet = await receiver(harness, 'WalletReceiver')
    const tokenId = await acts.mint(creator)
    await acts.list(creator, tokenId)
    const { price, rentPerDay, forkPrice } = everyOffer
    const pay = (functionName: string, args: readonly unknown[], value: bigint) =>
      mined(send(harness, wallet, { ...marketplace, functionName, args, value }))
    const rented = await pay('rent', [tokenId, other.address, 1n], rentPerDay)
    const simulateFork = await pay('fork', [tokenId, other.address, 500n], forkPrice)
    const repaid = await pay('payRoyalty', [tokenId], 3n)
    const sold = await pay('buy', [tokenId, other.address], price)
    const { address } = wallet
    expect(marketEvents(rented, 'Rented')).toMatchObject([{ payer: address }])
    expect(marketEvents(simulateFork, 'Forked')).toMatchObject([{ forker: address }])
    expect(marketEvents(repaid, 'RoyaltyPaid')).toMatchObject([{ from: address }])
    expect(marketEvents(sold, 'Sold')).toMatchObject([{ buyer: address }])
    const fork = await harness.registry.read.totalSupply()
    expect(await harness.registry.read.creatorOf([fork])).toBe(address)
  })
})

test('a receiver is called with the operator, the previous owner, the token and the data', async () => {
  const [agent, mirror] = [await receiver(harness, 'Actor'), await deployCode(revertWithCalldata)]
  const tokenId = await acts.mint(creator)
  await callRegistry(creator, 'setApprovalForAll', [agent.address, true])
  const args = [creator.address, mirror, tokenId, '0xcafe']
  const transfer = { ...harness.registry, functionName: 'safeTransferFrom', args }
  const facts = [agent.address, creator.address, tokenId, '0xcafe']
  expect(await refusalThrough(agent, transfer)).toEqual({ name: 'onERC721Received', facts })
})

test('a confirmation that is one byte short is invalid', async () => {
  const curt = await deployCode(confirmOneByteShort)
  expect(await refusalOf(offerTo(curt, await acts.mint(creator)))).toEqual({
    name: 'ERC721InvalidReceiver',
    facts: [curt],
  })
})

test('a reason of one byte is passed on', async () => {
  const curt = await deployCode(revertWithOneByte)
  const offer = offerTo(curt, await acts.mint(creator))
  await expect(offer).rejects.toMatchObject({ cause: { raw: '0x00' } })
})

function offerTo(receiver: Address, tokenId: bigint): Promise<unknown> {
  const { address } = creator
  return harness.registry.simulate.safeTransferFrom([address, receiver, tokenId], {
    account: creator,
  })
}

test('the share of the highest possible price does not overflow', async () => {
  const highest = 2n ** 256n - 1n
  const royaltyBps = 9_999n
  const parent = await acts.mint(creator)
  await acts.list(creator, parent, { forkPrice: 1n, royaltyBps })
  const child = await acts.fork(other, parent)
  expect(await harness.registry.read.royaltyInfo([child, highest])).toEqual([
    creator.address,
    (highest * royaltyBps) / 10_000n,
  ])
})

test('terms are one word: sale price, rent per day, fork price and royalty', async () => {
  const tokenId = await acts.mint(creator)
  const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer
  await acts.list(creator, tokenId)
  const key = (value: bigint, slotOfMap: Hex) =>
    keccak256(concatHex([toHex(value, { size: 32 }), slotOfMap]))
  const slot = key(0n, key(tokenId, word(3)))
  const { address } = harness.marketplace
  const stored = await harness.client.getStorageAt({ address, slot })
  expect(BigInt(stored ?? 0n)).toBe(
    (price << 174n) | (rentPerDay << 94n) | (forkPrice << 14n) | royaltyBps,
  )
})

test('a payment has 100,000 gas and no calldata', async () => {
  const { client, marketplace, mined } = harness
  const maker = party(7)
  const tokenId = await acts.mint(maker)
  await setState('hardhat_setCode', [maker.address, storeGasAndSize])
  await mined(
    marketplace.write.payRoyalty([tokenId], { account: creator, value: 9n, gas: 500_000n }),
  )
  const stored = [0, 1].map((slot) =>
    client.getStorageAt({ address: maker.address, slot: word(slot) }),
  )
  // A payment adds a stipend of 2,300, and reading the remaining gas costs 2.
  expect((await Promise.all(stored)).map((value) => BigInt(value ?? 0n))).toEqual([102_298n, 0n])
})

test('an id may use all of its 42 bits', async () => {
  const { client, registry } = harness
  const last = 2n ** 42n - 2n
  const slot = { address: registry.address, slot: word(5) }
  const supply = await client.getStorageAt(slot)
  expect(BigInt(supply ?? 0n)).toBe(await registry.read.totalSupply())
  await setState('hardhat_setStorageAt', [registry.address, '0x5', toHex(last - 1n, { size: 32 })])
  const parent = await acts.mint(creator)
  const child = await acts.mint(other, other.address, parent)
  expect([parent, child]).toEqual([last, last + 1n])
  expect(await registry.read.parentOf([child])).toBe(parent)
})
