import { parseEventLogs, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { actsOn, word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { receiver } from './receivers.ts'
import { refusalOf, refusalsOf } from './refusal.ts'

const [creator, other, operator] = [party(1), party(2), party(3)]

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

describe('the collection', () => {
  test.for([
    ['ERC-165', '0x01ffc9a7', true],
    ['ERC-721', '0x80ac58cd', true],
    ['ERC-721 metadata', '0x5b5e139f', true],
    ['ERC-2981', '0x2a55205a', true],
    ['the royalties of Manifold', '0xbb3bafd6', true],
    ['ERC-4907, whose single user we do not have', '0xad092b5c', false],
    ['the invalid interface', '0xffffffff', false],
  ] as const)('answers for %s', async ([, id, supported]) => {
    expect(await harness.registry.read.supportsInterface([id])).toBe(supported)
  })

  test('has a name and a symbol', async () => {
    const { read } = harness.registry
    expect([await read.name(), await read.symbol()]).toEqual(['Heirloom Memory', 'HEIR'])
  })
})

describe('the token document', () => {
  test('is on-chain JSON', async () => {
    const { registry } = harness
    const parent = await acts.mint(creator)
    const tokenId = await acts.mint(other, other.address, parent)
    const [scheme, encoded] = (await registry.read.tokenURI([tokenId])).split(',')
    expect(scheme).toBe('data:application/json;base64')
    const { image, ...document } = JSON.parse(Buffer.from(encoded ?? '', 'base64').toString())
    const [imageScheme, imageText = ''] = image.split(',')
    expect(imageScheme).toBe('data:image/svg+xml;base64')
    const svg = Buffer.from(imageText, 'base64').toString()
    expect(svg).toMatch(/^<svg .*fill="#000000".*>Heirloom Memory #\d+<\/text><\/svg>$/)
    const { timestamp } = await harness.client.getBlock()
    expect(document).toEqual({
      name: `Heirloom Memory #${tokenId}`,
      description: 'A sealed agent memory with proven origin.',
      contentHash: word(7),
      storageUri: await registry.read.storageURI([tokenId]),
      creator: other.address.toLowerCase(),
      parent: `${parent}`,
      attributes: [
        { trait_type: 'Origin', value: 'Derived' },
        { trait_type: 'Created', display_type: 'date', value: Number(timestamp) },
      ],
    })
  })

  test('names what kind of token it is', async () => {
    const { registry } = harness
    const parent = await acts.mint(creator)
    await acts.list(creator, parent, { forkPrice: 1n })
    await acts.fork(other, parent)
    const kindOf = async (tokenId: bigint) => {
      const [, encoded = ''] = (await registry.read.tokenURI([tokenId])).split(',')
      return JSON.parse(Buffer.from(encoded, 'base64').toString()).attributes[0].value
    }
    expect(await kindOf(parent)).toBe('Original')
    expect(await kindOf(await registry.read.totalSupply())).toBe('Licensed fork')
  })

  test('describes the collection (ERC-7572)', async () => {
    const [scheme, encoded = ''] = (await harness.registry.read.contractURI()).split(',')
    expect(scheme).toBe('data:application/json;base64')
    expect(JSON.parse(Buffer.from(encoded, 'base64').toString())).toMatchObject({
      name: 'Heirloom Memory',
      symbol: 'HEIR',
    })
  })

  test('decodes at every length of padding', async () => {
    const { registry, mined } = harness
    const items = Array.from({ length: 120 }, () => ({
      recipient: creator.address,
      contentHash: word(1),
      digest: word(2),
      parent: 0n,
    }))
    await mined(registry.write.mintBatch([items], { account: creator }))
    for (const tokenId of [9n, 10n, 99n, 100n]) {
      const [, encoded = ''] = (await registry.read.tokenURI([tokenId])).split(',')
      const document = Buffer.from(encoded, 'base64')
      expect(document.toString('base64')).toBe(encoded)
      expect(JSON.parse(document.toString()).name).toBe(`Heirloom Memory #${tokenId}`)
    }
  })
})

describe('a transfer', () => {
  test('moves the token, the balances and the count', async () => {
    const { read } = harness.registry
    const tokenId = await acts.mint(creator)
    const before = [await read.balanceOf([creator.address]), await read.balanceOf([other.address])]
    const { logs } = await acts.transfer(creator, tokenId, other.address)
    const after = [await read.balanceOf([creator.address]), await read.balanceOf([other.address])]
    expect(after.map((count, index) => count - (before[index] ?? 0n))).toEqual([-1n, 1n])
    expect(await read.holdingOf([tokenId])).toEqual([other.address, 1n])
    const [event] = parseEventLogs({ abi: memoryRegistryAbi, logs, eventName: 'Transfer' })
    expect(event?.args).toEqual({ from: creator.address, to: other.address, tokenId })
  })

  test('counts when the owner stays the same, and on the way back to the creator', async () => {
    const { read } = harness.registry
    const tokenId = await acts.mint(creator)
    await acts.transfer(creator, tokenId, creator.address)
    expect(await read.holdingOf([tokenId])).toEqual([creator.address, 1n])
    await acts.transfer(creator, tokenId, other.address)
    await acts.transfer(other, tokenId, creator.address)
    expect(await read.holdingOf([tokenId])).toEqual([creator.address, 3n])
  })

  test('is refused without approval, from a wrong owner and to invalid recipients', async () => {
    const { registry, marketplace } = harness
    const tokenId = await acts.mint(creator)
    const move = (from: typeof creator, owner: `0x${string}`, to: `0x${string}`) =>
      refusalOf(registry.simulate.transferFrom([owner, to, tokenId], { account: from }))
    expect(await move(operator, creator.address, operator.address)).toEqual({
      name: 'ERC721InsufficientApproval',
      facts: [operator.address, tokenId],
    })
    expect(await move(creator, other.address, operator.address)).toEqual({
      name: 'ERC721IncorrectOwner',
      facts: [other.address, tokenId, creator.address],
    })
    for (const to of [zeroAddress, registry.address, marketplace.address]) {
      const refusal = await move(creator, creator.address, to)
      expect(refusal).toEqual({ name: 'ERC721InvalidReceiver', facts: [to] })
    }
  })
})

describe('an approval', () => {
  test('lets one account transfer one token, until the owner changes', async () => {
    const { registry, mined } = harness
    const tokenId = await acts.mint(creator)
    await mined(registry.write.approve([operator.address, tokenId], { account: creator }))
    expect(await registry.read.getApproved([tokenId])).toBe(operator.address)
    const move = [creator.address, other.address, tokenId] as const
    await mined(registry.write.transferFrom(move, { account: operator }))
    expect(await registry.read.getApproved([tokenId])).toBe(zeroAddress)
    await acts.transfer(other, tokenId, creator.address)
    expect(await registry.read.getApproved([tokenId])).toBe(zeroAddress)
    const again = registry.simulate.transferFrom(move, { account: operator })
    expect((await refusalOf(again)).name).toBe('ERC721InsufficientApproval')
  })

  test('of an operator covers every token, until it is revoked', async () => {
    const { registry, mined } = harness
    const tokenId = await acts.mint(creator)
    await mined(registry.write.setApprovalForAll([operator.address, true], { account: creator }))
    await mined(registry.write.approve([other.address, tokenId], { account: operator }))
    expect(await registry.read.getApproved([tokenId])).toBe(other.address)
    const move = [creator.address, other.address, tokenId] as const
    await mined(registry.write.transferFrom(move, { account: operator }))
    await mined(registry.write.setApprovalForAll([operator.address, false], { account: creator }))
    expect(await registry.read.isApprovedForAll([creator.address, operator.address])).toBe(false)
  })

  test('is refused to other accounts and for the zero operator', async () => {
    const { registry } = harness
    const tokenId = await acts.mint(creator)
    const approve = registry.simulate.approve([other.address, tokenId], { account: other })
    expect(await refusalOf(approve)).toEqual({
      name: 'ERC721InvalidApprover',
      facts: [other.address],
    })
    const operate = registry.simulate.setApprovalForAll([zeroAddress, true], { account: creator })
    expect(await refusalOf(operate)).toEqual({
      name: 'ERC721InvalidOperator',
      facts: [zeroAddress],
    })
  })
})

describe('a safe transfer', () => {
  const selector = '0x150b7a02'

  test('hands the data to a contract that confirms', async () => {
    const { registry, client, mined } = harness
    const { abi, address } = await receiver(harness, 'TokenReceiver', [selector])
    const tokenId = await acts.mint(creator)
    const move = [creator.address, address, tokenId, '0xcafe'] as const
    await mined(registry.write.safeTransferFrom(move, { account: creator }))
    expect(await registry.read.ownerOf([tokenId])).toBe(address)
    expect(await client.readContract({ abi, address, functionName: 'data' })).toBe('0xcafe')
  })

  test('needs no confirmation from an account without code', async () => {
    const { registry, mined } = harness
    const tokenId = await acts.mint(creator)
    const move = [creator.address, other.address, tokenId] as const
    await mined(registry.write.safeTransferFrom(move, { account: creator }))
    expect(await registry.read.ownerOf([tokenId])).toBe(other.address)
  })

  test('is refused by a contract without a valid answer', async () => {
    const { registry } = harness
    const wrong = await receiver(harness, 'TokenReceiver', ['0xdeadbeef'])
    const silent = await receiver(harness, 'Actor')
    const tokenId = await acts.mint(creator)
    for (const { address } of [wrong, silent]) {
      const move = registry.simulate.safeTransferFrom([creator.address, address, tokenId], {
        account: creator,
      })
      expect(await refusalOf(move)).toEqual({ name: 'ERC721InvalidReceiver', facts: [address] })
    }
  })

  test('forwards the reason of a contract that refuses', async () => {
    const { abi, address } = await receiver(harness, 'RefusingTokenReceiver')
    const tokenId = await acts.mint(creator)
    const move = harness.client.simulateContract({
      address: harness.registry.address,
      abi: [...memoryRegistryAbi, ...abi],
      functionName: 'safeTransferFrom',
      args: [creator.address, address, tokenId],
      account: creator,
    })
    expect(await refusalOf(move)).toEqual({ name: 'NoRoom', facts: [tokenId] })
  })

  test('calls the receiver, unlike a mint', async () => {
    const { address } = await receiver(harness, 'RefusingTokenReceiver')
    const tokenId = await acts.mint(creator, address)
    expect(await harness.registry.read.ownerOf([tokenId])).toBe(address)
  })
})

test('a token that does not exist is refused with the errors of ERC-721', async () => {
  const { read, simulate } = harness.registry
  const attempts = [
    read.ownerOf([0n]),
    read.getApproved([0n]),
    read.tokenURI([0n]),
    simulate.approve([other.address, 0n], { account: creator }),
    simulate.transferFrom([creator.address, other.address, 0n], { account: creator }),
  ]
  expect(await refusalsOf(attempts)).toEqual(
    attempts.map(() => ({ name: 'ERC721NonexistentToken', facts: [0n] })),
  )
  const balance = await refusalOf(read.balanceOf([zeroAddress]))
  expect(balance).toEqual({ name: 'ERC721InvalidOwner', facts: [zeroAddress] })
})
