import type { ViemLedger } from '@heirloom/adapters/ledger'
import { type Account, account, fromSeconds, toSeconds } from '@heirloom/core'
import type { Wallet } from '@heirloom/http/wallet'
import { wallets } from '@heirloom/testkit'
import { encodeFunctionData, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../packages/adapters/src/ledger/connection.ts'
import {
  forwarderAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import {
  domainOfForwarder,
  forwardRequestTypes,
} from '../../packages/adapters/src/ledger/relay/forward-request.ts'
import { sendOnce } from '../../packages/adapters/src/ledger/send-once.ts'
import { type HttpHarness, openHttpHarness } from '../harness/chain/http.ts'
import { openWalletOf, serveChain } from '../harness/chain/own-wallets.ts'

const day = 86_400_000
const keys = wallets as unknown as readonly PrivateKeyAccount[]
const addressOf = (index: number): Account => account((keys[index] as PrivateKeyAccount).address)
const [ada, ben, cleo, dan] = [0, 1, 2, 3]
const plan = { silenceDays: 30, noticeDays: 40 }

let world: HttpHarness
let node: Awaited<ReturnType<typeof serveChain>>
let acting: readonly Wallet[]
let client: ReturnType<typeof connect>
beforeAll(async () => {
  world = await openHttpHarness()
  node = await serveChain(world)
  acting = await Promise.all(keys.map((_, index) => openWalletOf(world, index, node.url)))
  client = connect(world.chain)
})
afterAll(async () => {
  await node.close()
  await world.close()
})

const walletOf = (index: number) => acting[index] as Wallet
const memory = { data: { secret: 'swordfish' }, metadata: { category: 'research' } }

/** Lets Ada make a token, of which she is the creator and the owner. */
const madeByAda = async () => (await walletOf(ada).snapshot(memory)).tokenId

const nameBen = () => walletOf(ada).nameHeir({ heir: addressOf(ben), ...plan })
const announce = () => walletOf(ben).announceTakeover(addressOf(ada))
const takeOver = (...tokenIds: readonly string[]) =>
  walletOf(ben).takeOver(addressOf(ada), { tokenIds })

/** Lets Ada name Ben and fall silent, and Ben announce and wait for the whole notice. */
async function ripen(): Promise<void> {
  await nameBen()
  await world.wait(plan.silenceDays * day)
  await announce()
  await world.wait(plan.noticeDays * day)
}

async function ownerOf(tokenId: string): Promise<Hex> {
  const call = { address: world.contracts.registry, abi: memoryRegistryAbi } as const
  return client.readContract({ ...call, functionName: 'ownerOf', args: [BigInt(tokenId)] })
}

/** Downloads a token with a proof of an account: `opened`, or the code of the failure. */
async function download(index: number, id: string, at = toSeconds(world.now())): Promise<string> {
  const wallet = keys[index] as PrivateKeyAccount
  const { address } = wallet
  const message = `service:access:${id}:${address}:${at}`
  const reply = await world.servers[dan]?.inject({
    url: `/api/memory/${id}`,
    headers: {
      'x-wallet-address': address,
      'x-wallet-timestamp': `${at}`,
      'x-wallet-signature': await wallet.signMessage({ message }),
    },
  })
  return reply?.statusCode === 200 ? 'opened' : reply?.json().code
}

type RegistryCall = {
  readonly functionName: 'heartbeat' | 'nameHeir' | 'announceTakeover' | 'takeOver'
  readonly args?: readonly unknown[]
}

/** Has the wallet of Dan relay a call that an account signed; `from` is whom the call is said to be of. */
async function relay(index: number, call: RegistryCall, from = addressOf(index)) {
  const { forwarder, registry } = world.contracts
  const data = encodeFunctionData({ abi: memoryRegistryAbi, args: [], ...call } as never)
  const of = { address: forwarder, abi: forwarderAbi } as const
  const nonce = await client.readContract({ ...of, functionName: 'nonces', args: [from] })
  const deadline = toSeconds(world.now()) + 600
  const message = { from, to: account(registry), value: 0n, gas: 300_000n, deadline, data }
  const signature = await (keys[index] as PrivateKeyAccount).signTypedData({
    domain: domainOfForwarder(31337, forwarder),
    types: forwardRequestTypes,
    primaryType: 'ForwardRequest',
    message: { ...message, nonce },
  })
  const relayed = (world.parties[dan]?.ledger as ViemLedger | undefined)?.relay
  if (relayed === undefined) throw new Error('There is no relay.')
  const options = { rules: { gas: 1_000_000n, leastOrder: 0n }, budgets: [] }
  return relayed.forward({ ...message, signature }, options as never)
}

/** Sends a call of the registry directly, past all our programs. */
const send = (index: number, functionName: string, args: readonly unknown[]) =>
  sendOnce(
    { client, wallet: keys[index] as PrivateKeyAccount },
    {
      operation: functionName,
      to: world.contracts.registry,
      data: encodeFunctionData({ abi: memoryRegistryAbi, functionName, args } as never),
    },
  )

describe('an heir gets nothing of an account that lives', () => {
  test('however often it asks, while the account gives signs, directly and by relay', async () => {
    const id = await madeByAda()
    await nameBen()
    for (let round = 0; round < 6; round++) {
      await world.wait(29 * day)
      await expect(announce()).rejects.toMatchObject({ code: 'heir/not-silent' })
      await expect(takeOver(id)).rejects.toMatchObject({ code: 'heir/not-announced' })
      await (round % 2 === 0
        ? walletOf(ada).heartbeat()
        : relay(ada, { functionName: 'heartbeat' }))
    }
    expect(await ownerOf(id)).toBe(addressOf(ada))
  })

  test('and a sign that is relayed in the last second of the notice ends the takeover', async () => {
    const id = await madeByAda()
    await nameBen()
    await world.wait(plan.silenceDays * day)
    const { takeoverAt } = await announce()
    expect(await walletOf(cleo).heir(addressOf(ada))).toMatchObject({
      state: 'announced',
      takeoverAt,
    })
    await world.wait(fromSeconds(Number(takeoverAt)) - world.now() - 1000)
    await expect(takeOver(id)).rejects.toMatchObject({ code: 'heir/too-early' })
    await relay(ada, { functionName: 'heartbeat' })
    await world.wait(day)
    await expect(takeOver(id)).rejects.toMatchObject({ code: 'heir/not-announced' })
    await expect(walletOf(ben).takeOverCredit(addressOf(ada))).rejects.toMatchObject({
      code: 'heir/not-announced',
    })
    expect(await walletOf(ada).heir()).toMatchObject({ state: 'active', announcedAt: null })
  })

  test('and an account that ends its plan, or names another heir, is rid of the first', async () => {
    const id = await madeByAda()
    await ripen()
    await walletOf(ada).nameHeir({ heir: addressOf(cleo), ...plan })
    await expect(takeOver(id)).rejects.toMatchObject({
      code: 'heir/not-heir',
      facts: { account: addressOf(ada), heir: addressOf(cleo), caller: addressOf(ben) },
    })
    await walletOf(ada).clearHeir()
    await expect(takeOver(id)).rejects.toMatchObject({
      code: 'heir/not-heir',
      message: expect.stringContaining('has named no heir'),
    })
    expect(await walletOf(ada).heir()).toMatchObject({ state: 'none', heir: null })
  })
})

describe('a stranger', () => {
  test('neither announces nor takes over, nor has a forged call relayed', async () => {
    const id = await madeByAda()
    await nameBen()
    await world.wait(plan.silenceDays * day)
    const notHeir = { code: 'heir/not-heir' }
    await expect(walletOf(cleo).announceTakeover(addressOf(ada))).rejects.toMatchObject(notHeir)
    const forged = { functionName: 'announceTakeover', args: [addressOf(ada)] } as const
    await expect(relay(cleo, forged)).rejects.toMatchObject(notHeir)
    await expect(relay(cleo, forged, addressOf(ben))).rejects.toMatchObject({
      code: 'relay/not-signed',
    })
    await announce()
    await world.wait(plan.noticeDays * day)
    const taking = { tokenIds: [id] }
    await expect(walletOf(cleo).takeOver(addressOf(ada), taking)).rejects.toMatchObject(notHeir)
    await expect(walletOf(cleo).takeOverCredit(addressOf(ada))).rejects.toMatchObject(notHeir)
    const theft = { functionName: 'nameHeir', args: [addressOf(cleo), 30n, 30n] } as const
    await expect(relay(cleo, theft, addressOf(ada))).rejects.toMatchObject({
      code: 'relay/not-signed',
    })
    expect(await ownerOf(id)).toBe(addressOf(ada))
  })

  test('cannot be sent tokens, or take them, to make a silent account seem alive', async () => {
    const own = await madeByAda()
    await nameBen()
    await world.wait(plan.silenceDays * day)
    const { tokenId } = await walletOf(cleo).snapshot(memory)
    await walletOf(cleo).transfer(tokenId, { to: addressOf(ada) })
    expect(await walletOf(ada).heir()).toMatchObject({ state: 'silent' })
    await announce()
    await world.wait(plan.noticeDays * day)
    await takeOver(own, tokenId)
    expect(await ownerOf(tokenId)).toBe(addressOf(ben))
  })
})

describe('an heir', () => {
  test('is never the account itself, the pair or its forwarder', async () => {
    const { registry, marketplace, forwarder } = world.contracts
    for (const heir of [addressOf(ada), registry, marketplace, forwarder, `0x${'0'.repeat(40)}`]) {
      const named = walletOf(ada).nameHeir({ heir: heir as Hex, ...plan })
      await expect(named).rejects.toMatchObject({ code: 'heir/invalid' })
    }
    const typo = addressOf(ben).replace(/[a-f]/, (it) => it.toUpperCase()) as Hex
    const wrong = addressOf(ben).replace(/[A-F]/, (it) => it.toLowerCase()) as Hex
    const misspelt = typo === addressOf(ben) ? wrong : typo
    const mistyped = walletOf(ada).nameHeir({ heir: misspelt, ...plan })
    await expect(mistyped).rejects.toMatchObject({ code: 'value/invalid' })
    for (const days of [29, 3651, 30.5]) {
      const short = walletOf(ada).nameHeir({
        heir: addressOf(ben),
        silenceDays: days,
        noticeDays: 30,
      })
      await expect(short).rejects.toMatchObject({ code: 'heir/bad-delay' })
    }
  })

  test('that is also an operator gives no sign for the account, and changes no plan of it', async () => {
    const [one, moved] = [await madeByAda(), await madeByAda()]
    await send(ada, 'setApprovalForAll', [addressOf(ben), true])
    await nameBen()
    await world.wait(plan.silenceDays * day)
    await send(ben, 'transferFrom', [addressOf(ada), addressOf(cleo), BigInt(moved)])
    await walletOf(ben).heartbeat()
    await walletOf(ben).nameHeir({ heir: addressOf(cleo), ...plan })
    expect(await walletOf(ada).heir()).toMatchObject({ state: 'silent', heir: addressOf(ben) })
    await announce()
    await expect(announce()).rejects.toMatchObject({ code: 'heir/already-announced' })
    await world.wait(plan.noticeDays * day)
    await takeOver(one)
    await walletOf(ben).clearHeir()
    await send(ada, 'setApprovalForAll', [addressOf(ben), false])
    expect(await ownerOf(one)).toBe(addressOf(ben))
    expect(await ownerOf(moved)).toBe(addressOf(cleo))
  })

  test('takes all of the named tokens or none, and at most 200 at once', async () => {
    const [one, sold] = [await madeByAda(), await madeByAda()]
    const free = { rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
    await walletOf(ada).list({ tokenId: sold, price: 7n, ...free })
    await ripen()
    await walletOf(cleo).buy(sold, { maxPrice: 7n })
    await expect(takeOver(one, sold)).rejects.toMatchObject({
      code: 'token/not-owner',
      facts: { tokenId: sold, account: addressOf(ada) },
    })
    await expect(takeOver(one, one)).rejects.toMatchObject({ code: 'token/not-owner' })
    await expect(takeOver('987654')).rejects.toMatchObject({ code: 'token/not-found' })
    const many = Array.from({ length: 201 }, () => one)
    for (const tokenIds of [many, []]) {
      await expect(takeOver(...tokenIds)).rejects.toMatchObject({
        code: 'batch/bad-size',
        facts: { size: tokenIds.length, limit: 200 },
      })
    }
    expect(await ownerOf(one)).toBe(addressOf(ada))
    await takeOver(one)
    expect(await ownerOf(one)).toBe(addressOf(ben))
  })

  test('opens what it took over, the account does not any longer, and running rentals stay', async () => {
    const id = await madeByAda()
    const terms = { price: 9n, rentalPricePerDay: 1n, forkPrice: 5n, forkRoyaltyBps: 0 }
    await walletOf(ada).list({ tokenId: id, ...terms })
    await walletOf(cleo).rent(id, { durationDays: 300 })
    await ripen()
    const early = toSeconds(world.now())
    expect(await download(ada, id)).toBe('opened')
    expect(await download(ben, id)).toBe('access/denied')
    await takeOver(id)
    expect(await download(ben, id)).toBe('opened')
    expect(await download(cleo, id)).toBe('opened')
    expect(await download(ada, id, early)).toBe('access/denied')
    expect(await walletOf(ben).listing(id)).toMatchObject({ isForSale: false, isForFork: false })
    await expect(walletOf(cleo).buy(id)).rejects.toMatchObject({ code: 'listing/not-for-sale' })
    await expect(walletOf(ada).transfer(id, { to: addressOf(ada) })).rejects.toMatchObject({
      code: 'token/not-owner',
    })
    await walletOf(ben).list({ tokenId: id, ...terms })
    expect(await walletOf(cleo).listing(id)).toMatchObject({ seller: addressOf(ben) })
  })

  test('acts by relay as well, on a chain on which nobody has done anything since', async () => {
    const id = await madeByAda()
    await nameBen()
    await world.wait(plan.silenceDays * day)
    const announced = { functionName: 'announceTakeover', args: [addressOf(ada)] } as const
    expect(await relay(ben, announced)).toMatchObject({ act: 'announceTakeover' })
    await world.wait(plan.noticeDays * day)
    const taken = { functionName: 'takeOver', args: [addressOf(ada), [BigInt(id)]] } as const
    expect(await relay(ben, taken)).toMatchObject({ act: 'takeOver', tokenIds: [] })
    expect(await ownerOf(id)).toBe(addressOf(ben))
  })
})
