import solc from 'solc'
import { encodeAbiParameters, type Hex, hexToBigInt, keccak256, toHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ContractHarness,
  openContractHarness,
  party,
} from '../../packages/adapters/contracts/test/contract-harness.ts'
import { bare, read, rowsUnder } from './docs.ts'

const page = read('docs/contracts.md')
const [ada, ben, cleo] = [party(1), party(2), party(3)]

let harness: ContractHarness
beforeAll(async () => {
  harness = await openContractHarness()
  const { mined, registry, marketplace } = harness
  const content = [keccak256(toHex('content')), keccak256(toHex('bundle'))] as const
  await mined(registry.write.mint([ada.address, ...content, 0n], { account: ada }))
  await mined(registry.write.transferFrom([ada.address, ben.address, 1n], { account: ada }))
  await mined(marketplace.write.list([1n, 11n, 22n, 33n, 444n], { account: ben }))
  const value = 33n
  await mined(marketplace.write.fork([1n, ada.address, 444n], { account: cleo, value }))
  await mined(marketplace.write.rent([1n, cleo.address, 2n], { account: cleo, value: 44n }))
  await mined(registry.write.approve([cleo.address, 1n], { account: ben }))
  await mined(registry.write.setApprovalForAll([cleo.address, true], { account: ben }))
  await mined(registry.write.nameHeir([ada.address, 30n, 40n], { account: ben }))
})

describe('the storage that docs/contracts.md describes', () => {
  const rows = rowsUnder(page, '## Storage')
  const slots = rows.filter((cells) => cells.length === 4)
  const fields = new Map(rows.filter((cells) => cells.length === 2).map(([of, at]) => [of, at]))

  it('has the storage layout of the compiler', () => {
    const main = 'src/MemoryMarketplace.sol'
    const outputSelection = { '*': { '*': ['storageLayout', 'transientStorageLayout'] } }
    const source = (path: string) =>
      read(path.startsWith('@') ? `node_modules/${path}` : `packages/adapters/contracts/${path}`)
    const sources = { [main]: { content: source(main) } }
    const input = {
      language: 'Solidity',
      sources,
      settings: { evmVersion: 'osaka', outputSelection },
    }
    const imports = { import: (path: string) => ({ contents: source(path) }) }
    const { contracts } = JSON.parse(solc.compile(JSON.stringify(input), imports))
    const layoutOf = (file: string, kind = 'storageLayout') =>
      contracts[`src/${file}.sol`][file][kind].storage.map(
        ({ slot, label }: { slot: string; label: string }) => [slot, label],
      )
    const documented = (of: string) =>
      slots.filter(([name]) => name === of).map(([, slot, variable]) => [slot, bare(variable)])
    expect(documented('registry')).toEqual(layoutOf('MemoryRegistry'))
    expect(documented('marketplace')).toEqual(layoutOf('MemoryMarketplace'))
    expect(layoutOf('MemoryMarketplace', 'transientStorageLayout')).toEqual([['0', '_locked']])
  })

  const slotOf = (variable: string) => {
    const [, slot] = slots.find(([, , name]) => bare(name) === variable) ?? []
    return BigInt(slot ?? -1)
  }
  const wordAt = async (contract: { readonly address: Hex }, at: bigint) => {
    const slot = toHex(at)
    return (await harness.client.getStorageAt({ ...contract, slot })) ?? '0x'
  }

  it('has the words of a token, of a fork and of a listing', async () => {
    const { registry, marketplace } = harness
    const [, mintedAt] = await registry.read.recordOf([1n])
    const [, forkedAt] = await registry.read.recordOf([2n])
    const tokens = (id: bigint) => entry(id, slotOf('_tokens'))
    const origin = async (id: bigint) => split(await wordAt(registry, tokens(id) + 2n), 'origin')
    const holding = async (id: bigint) => split(await wordAt(registry, tokens(id) + 3n), 'holding')
    expect(await wordAt(registry, tokens(1n))).toBe(keccak256(toHex('content')))
    expect(await wordAt(registry, tokens(1n) + 1n)).toBe(keccak256(toHex('bundle')))
    expect(await origin(1n)).toEqual([BigInt(ada.address), mintedAt, 0n, 0n])
    expect(await holding(1n)).toEqual([BigInt(ben.address), 1n])
    expect(BigInt(await wordAt(registry, tokens(2n)))).toBe(0n)
    expect(await origin(2n)).toEqual([BigInt(cleo.address), forkedAt, 1n, 445n])
    expect(await holding(2n)).toEqual([BigInt(ada.address), 0n])
    const terms = await wordAt(marketplace, entry(1n, entry(1n, slotOf('_terms'))))
    expect(split(terms, 'terms')).toEqual([0n, 11n, 22n, 33n, 444n])
    expect(BigInt(await wordAt(marketplace, entry(0n, entry(1n, slotOf('_terms')))))).toBe(0n)
  })

  it('has the words of everything else', async () => {
    const { registry, marketplace } = harness
    const number = async (contract: { readonly address: Hex }, at: bigint) =>
      BigInt(await wordAt(contract, at))
    const [adas, bens, cleos] = [ada, ben, cleo].map(({ address }) => BigInt(address)) as [
      bigint,
      bigint,
      bigint,
    ]
    const holder = split(await wordAt(registry, entry(adas, slotOf('_holders'))), 'holder')
    const [, mintedAt] = await registry.read.recordOf([1n])
    expect(holder[1]).toBe(1n)
    expect(holder[0]).toBeGreaterThanOrEqual(mintedAt)
    const plan = split(await wordAt(registry, entry(bens, slotOf('_inheritances'))), 'inheritance')
    expect(plan).toEqual([adas, 0n, 30n, 40n])
    const approval = entry(1n, entry(1n, slotOf('_approvals')))
    expect(await number(registry, approval)).toBe(cleos)
    const operator = entry(cleos, entry(bens, slotOf('isApprovedForAll')))
    expect(await number(registry, operator)).toBe(1n)
    expect(await number(registry, slotOf('totalSupply'))).toBe(2n)
    const rental = entry(cleos, entry(1n, slotOf('rentalExpiry')))
    const expiry = await marketplace.read.rentalExpiry([1n, cleo.address])
    expect(await number(marketplace, rental)).toBe(expiry)
    expect(slotOf('creditOf')).toBe(0n)
  })

  /** Returns the slot of a key in a mapping at a position. */
  function entry(key: bigint, position: bigint): bigint {
    const words = [{ type: 'uint256' }, { type: 'uint256' }] as const
    return hexToBigInt(keccak256(encodeAbiParameters(words, [key, position])))
  }

  /** Splits a word into the fields that the page lists, from the highest bit down. */
  function split(value: Hex, of: string): bigint[] {
    const listed = [...(fields.get(of) ?? '').matchAll(/(\w+) (\d+)/g)]
    const widths = listed.map(([, name, bits]) => ({ name, bits: BigInt(bits ?? 0) }))
    let rest = BigInt(value)
    const read = widths.toReversed().map(({ name, bits }) => {
      const field = rest & (2n ** bits - 1n)
      rest >>= bits
      return { name, field }
    })
    expect(rest).toBe(0n)
    return read.toReversed().flatMap(({ name, field }) => (name === 'unused' ? [] : [field]))
  }
})
