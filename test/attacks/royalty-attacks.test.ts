import { type MemoryService, type TokenId, wei } from '@heirloom/core'
import { memoryHarness, type Party, type ServiceHarness } from '@heirloom/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import { openHttpHarness } from '../harness/chain/http.ts'

const ether = 10n ** 18n
const bundle = { data: { learned: 'much' }, metadata: { category: 'research' } }
const nothing = { price: wei(0n), rentalPricePerDay: wei(0n), forkPrice: wei(0n) }

/** The same attacks run on the fakes, on the contracts, and through the servers of the parties. */
const subjects: readonly [string, () => Promise<ServiceHarness & Partial<Closable>>][] = [
  ['the fakes', async () => memoryHarness()],
  ['the embedded chain', openEmbeddedHarness],
  ['HTTP', openHttpHarness],
]

type Closable = { readonly close: () => Promise<void> }

describe.each(subjects)('a creator on %s', (_, open) => {
  let world: ServiceHarness & Partial<Closable>
  let services: readonly [MemoryService, MemoryService, MemoryService, MemoryService]
  beforeAll(async () => {
    world = await open()
    services = world.services as typeof services
  })
  afterAll(() => world?.close?.())

  /** Lists a token for fork at 1 wei, and forks it. */
  async function forkFor1Wei(
    owner: MemoryService,
    forker: MemoryService,
    fork: Fork,
  ): Promise<TokenId> {
    const { tokenId, forkRoyaltyBps } = fork
    await owner.list({ tokenId, ...nothing, forkPrice: wei(1n), forkRoyaltyBps })
    return (await forker.fork({ tokenId })).tokenId
  }

  /** Sells a token to the last party and returns what the sale paid to each of the others. */
  async function sellFor(price: bigint, seller: MemoryService, tokenId: TokenId) {
    await seller.list({ tokenId, ...nothing, price: wei(price), forkRoyaltyBps: 0 })
    const before = await balancesOf(world.parties)
    await services[3].buy({ tokenId })
    const after = await balancesOf(world.parties)
    return after.slice(0, 3).map((balance, index) => balance - (before[index] ?? 0n))
  }

  test('keeps 10 of 100 ether when a forker forks its own fork for 1 wei', async () => {
    const [ada, ben] = services
    const { tokenId } = await ada.snapshot({ bundle })
    const licensed = await forkFor1Wei(ada, ben, { tokenId, forkRoyaltyBps: 1000 })
    const own = await forkFor1Wei(ben, ben, { tokenId: licensed, forkRoyaltyBps: 0 })
    expect(await sellFor(100n * ether, ben, own)).toEqual([10n * ether, 90n * ether, 0n])
  })

  test('is not cut off by nine forks at 10,000 basis points', async () => {
    const [ada, ben] = services
    const { tokenId } = await ada.snapshot({ bundle })
    let last = await forkFor1Wei(ada, ben, { tokenId, forkRoyaltyBps: 1000 })
    for (let made = 0; made < 9; made++) {
      last = await forkFor1Wei(ben, ben, { tokenId: last, forkRoyaltyBps: 10_000 })
    }
    expect(await sellFor(100n * ether, ben, last)).toEqual([10n * ether, 90n * ether, 0n])
  })

  test('keeps 60 % when a forker also claims 60 %', async () => {
    const [ada, ben, cleo] = services
    const { tokenId } = await ada.snapshot({ bundle })
    const licensed = await forkFor1Wei(ada, ben, { tokenId, forkRoyaltyBps: 6000 })
    const last = await forkFor1Wei(ben, cleo, { tokenId: licensed, forkRoyaltyBps: 6000 })
    const shares = [(6n * ether) / 10n, (4n * ether) / 10n, 0n]
    expect(await sellFor(ether, cleo, last)).toEqual(shares)
  })
})

type Fork = { readonly tokenId: TokenId; readonly forkRoyaltyBps: number }

const balancesOf = (parties: readonly Party[]) =>
  Promise.all(parties.map((party) => party.balance()))
