import { walletKeys } from '@heirloom/testkit'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'
import { interceptingProxy } from '../../../test/intercepting-proxy.ts'

withServer({ MAX_SPEND_PER_CALL: '5000000000000000000' })

const key = walletKeys[1] as `0x${string}`
const buyer = privateKeyToAccount(key).address
const asBuyer = () => ({ env: { ...here, HEIRLOOM_PRIVATE_KEY: key } })

/** Lists a new token for sale, rent and fork, and returns its id. */
async function listed(...terms: string[]): Promise<string> {
  const id = await mintToken()
  const all = [
    '--price',
    '0.5ether',
    '--rent',
    '1000',
    '--fork-price',
    '7gwei',
    '--royalty',
    '2.5%',
  ]
  await runJson('list', id, ...all, ...terms)
  return id
}

/** Starts a proxy that raises the price to 0.6 ether as soon as the listing was read. */
async function startPriceRaiser(id: string) {
  const server = await interceptingProxy(here.HEIRLOOM_URL)
  server.intercept(async ({ path }, forward) => {
    const reply = await forward()
    if (path.includes('/listings/')) await runJson('list', id, '--price', '0.6ether', '--yes')
    return reply
  })
  return server
}

const readSpent = async () => {
  const wallet = await (await fetch(new URL('/api/wallet', here.HEIRLOOM_URL))).json()
  return (wallet as { readonly spentToday: string }).spentToday
}

describe('list', () => {
  test('lists a token, and unlist takes the listing down', async () => {
    const id = await listed()
    expect((await runJson('info', id)).listing).toMatchObject({
      price: '500000000000000000',
      rentalPricePerDay: '1000',
      forkPrice: '7000000000',
      forkRoyaltyBps: 250,
      isForSale: true,
    })
    await runJson('unlist', id)
    expect((await runJson('info', id)).listing).toMatchObject({
      isForSale: false,
      isForFork: false,
    })
    const spent = await readSpent()
    expect(await runJson('unlist', id)).toEqual({ tokenId: id, isListed: false })
    expect(await readSpent()).toBe(spent)
  })

  test('ends earlier offers with --yes only, and says which', async () => {
    const id = await listed()
    const ends = `The new terms end the offer of token ${id} for rent and fork.`
    const refused = await run(['list', id, '--price', '1'], { env: here })
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(ends)])
    expect(refused.err).toContain(`heirloom offer ${id}`)
    expect((await runJson('info', id)).listing).toMatchObject({ isForRent: true, isForFork: true })
    const dry = await run(['list', id, '--price', '1', '--dry-run'], { env: here })
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining(ends)])
    const same = ['--price', '1', '--rent', '2', '--fork-price', '3'] as const
    await runJson('list', id, ...same)
    await runJson('list', id, '--price', '1', '--yes')
    expect((await runJson('info', id)).listing).toMatchObject({ isForRent: false })
  })

  test('is added to by offer, which keeps the other offers and the royalty', async () => {
    const id = await listed()
    await runJson('offer', id, '--price', '0.25ETH')
    expect((await runJson('info', id)).listing).toMatchObject({
      price: '250000000000000000',
      rentalPricePerDay: '1000',
      forkPrice: '7000000000',
      forkRoyaltyBps: 250,
    })
    const other = await run(['offer', id, '--rent', '1usd'], { env: here })
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('in the other currency')])
    const none = await run(['offer', id, '--royalty', '5%'], { env: here })
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('needs a price above 0')])
    const fresh = await mintToken()
    await runJson('offer', fresh, '--price', '5usd')
    await runJson('offer', fresh, '--rent', '1usd')
    expect((await runJson('info', fresh)).listing).toMatchObject({
      dollars: { price: '5000000', rentalPricePerDay: '1000000' },
    })
  })
})

describe('buy, rent and fork', () => {
  test('buy the token for the caller, at its price', async () => {
    const id = await listed()
    const { code, out } = await run(['buy', id, '--max-price', '1ether', '--json'], asBuyer())
    expect([code, JSON.parse(out).price]).toEqual([0, '500000000000000000'])
    const { items } = await runJson('browse', '--owner', buyer)
    expect(items).toMatchObject([{ tokenId: id, owner: buyer }])
    const downloaded = await run(['download', id], asBuyer())
    expect(JSON.parse(downloaded.out).data).toEqual({ mood: 'calm' })
    expect(await run(['download', id], { env: here })).toMatchObject({ code: 4, out: '' })
  })

  test('rent by the day, and fork', async () => {
    const id = await listed()
    const rented = await run(['rent', id, '--days', '3', '--yes'], asBuyer())
    expect(rented.out).toMatch(
      /^Rented +token \d+ until .* UTC\nTransaction +0x\w{64}\nPaid +0\.000000000000003 ether \(3000 wei\)\n$/,
    )
    const forked = await run(['fork', id, '--yes', '--json', '--recipient', buyer], { env: here })
    const child = JSON.parse(forked.out).tokenId
    expect(await runJson('info', child)).toMatchObject({ parent: id })
    expect((await run(['download', child], asBuyer())).code).toBe(0)
  })

  test.each([
    [['buy', 'ID'], 'buy', '500000000000000000'],
    [['rent', 'ID', '--days', '2'], 'rent', '2000'],
    [['fork', 'ID'], 'fork', '7000000000'],
    [['royalty', 'ID', '0.25ether'], 'royalty', '250000000000000000'],
  ])('describe with --dry-run what they would send and pay: %s', async (words, verb, price) => {
    const id = await listed()
    const before = await readSpent()
    const line = words.map((word) => (word === 'ID' ? id : word))
    const { request, shares, ...rest } = await runJson(...line, '--dry-run')
    expect(rest).toMatchObject({
      dryRun: true,
      price,
      wallet: { maxSpendPerCall: '5000000000000000000' },
    })
    expect(request).toMatchObject({ method: 'POST', path: `/api/marketplace/${verb}/${id}` })
    const sum = (shares as { readonly amount: string }[]).reduce(
      (all, it) => all + BigInt(it.amount),
      0n,
    )
    expect(`${sum}`).toBe(price)
    const { code, out } = await run([...line, '--dry-run'], { env: here })
    expect([code, out.split('\n')[0]]).toEqual([0, 'Dry run: nothing is sent.'])
    expect(out).toContain(`(${price} wei), and fees`)
    expect(await readSpent()).toBe(before)
  })

  test('refuse an owner of the token, unless it is wanted', async () => {
    const id = await listed()
    const before = await readSpent()
    for (const verb of ['buy', 'rent']) {
      const { code, out, err } = await run([verb, id, '--yes'], { env: here })
      expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^Token \d+ .*belongs to 0x/)])
      expect(err).toMatch(new RegExp(`Pass --own to ${verb} it all the same\\.\n$`))
    }
    expect(await readSpent()).toBe(before)
    const owned =
      /^Token \d+ already belongs to 0x\w{40}: buying it changes nothing, and costs fees/
    const bought = await run(['buy', id, '--yes', '--own'], { env: here })
    expect([bought.code, bought.err]).toEqual([0, expect.stringMatching(owned)])
    await runJson('list', id, '--price', '1', '--rent', '1', '--fork-price', '1')
    expect((await run(['buy', id, '--dry-run'], { env: here })).out).toContain('changes nothing')
    const rented = await run(['rent', id, '--yes', '--own'], { env: here })
    expect(rented.err).toContain('can open it without renting it')
    expect((await run(['fork', id, '--yes'], { env: here })).err).toBe('')
    expect((await run(['buy', id, '--yes'], asBuyer())).err).toBe('')
  })

  test('warn with --dry-run when the price exceeds a spending limit', async () => {
    const id = await listed('--price', '6ether')
    const { out, err } = await run(['buy', id, '--dry-run'], { env: here })
    expect(err).toBe('')
    expect(out).toContain('This exceeds the limit per call.')
    expect(await run(['buy', id, '--yes', '--own'], { env: here })).toMatchObject({ code: 6 })
  })

  test('pay nothing without a terminal, --yes and --max-price', async () => {
    const id = await listed()
    const before = await readSpent()
    for (const [verb, ...more] of [['buy'], ['rent'], ['fork'], ['buy', '--json']] as const) {
      const { code, err } = await run([verb, id, ...more], { env: here, isTTY: more.length > 0 })
      expect(code).toBe(2)
      expect(err).toContain(`heirloom ${verb} needs --max-price AMOUNT, or --yes`)
    }
    expect(await readSpent()).toBe(before)
  })

  test('pay nothing above --max-price', async () => {
    const id = await listed()
    const { code, err } = await run(['buy', id, '--max-price', '499999999gwei', '--json'], {
      env: here,
    })
    expect([code, JSON.parse(err)]).toMatchObject([
      5,
      { code: 'listing/over-max-price', facts: { tokenId: id, price: '500000000000000000' } },
    ])
  })

  test.each([[['--yes']], [['--max-price', '1ether']]])(
    'pay nothing when the price rises after it was read: %s',
    async (option) => {
      const id = await listed()
      await using server = await startPriceRaiser(id)
      const env = { ...here, HEIRLOOM_URL: server.url }
      const { code, err } = await run(['buy', id, ...option, '--own', '--json'], { env })
      const facts = { maxPrice: '500000000000000000', price: '600000000000000000' }
      expect([code, JSON.parse(err || '{}')]).toMatchObject([
        5,
        { code: 'listing/over-max-price', facts },
      ])
    },
  )

  test('pay once for one idempotency key', async () => {
    const id = await listed()
    const once = ['rent', id, '--yes', '--own', '--idempotency-key', 'once']
    expect(await runJson(...once)).toEqual(await runJson(...once))
  })

  test.each([
    ['buy', '1ether'],
    ['rent', '1000'],
    ['fork', '7gwei'],
  ])(
    'pay once for one key and limit, even after the listing was removed: %s',
    async (verb, limit) => {
      const id = await listed()
      const once = [verb, id, '--max-price', limit, '--idempotency-key', `once-${verb}`]
      const first = await runJson(...once)
      expect(await runJson(...once)).toEqual(first)
      await runJson('unlist', id)
      const before = await readSpent()
      expect(await runJson(...once)).toEqual(first)
      expect(await readSpent()).toBe(before)
    },
  )

  test('send the limit as the price with a key, also with --dry-run', async () => {
    const id = await listed()
    const line = ['buy', id, '--max-price', '1ether', '--idempotency-key', 'dry']
    const { request, price } = await runJson(...line, '--dry-run')
    expect([price, request]).toMatchObject([
      '500000000000000000',
      { body: { maxPrice: '1000000000000000000' } },
    ])
  })

  test('a royalty is paid to the creator', async () => {
    const id = await listed()
    expect(await runJson('royalty', id, '5')).toMatchObject({
      amount: '5',
      to: expect.stringMatching(/^0x/),
    })
  })
})

describe('a fork', () => {
  test('sends the total royalty of its listing as the limit', async () => {
    const id = await listed()
    const { request } = await runJson('fork', id, '--dry-run')
    expect(request).toMatchObject({ body: { maxRoyaltyBps: 250 } })
    const { out } = await run(['info', id], { env: here })
    expect(out).toContain('royalties 2.5 % in total')
  })

  test('is refused above --max-royalty', async () => {
    const id = await listed()
    const { code, err } = await run(['fork', id, '--yes', '--max-royalty', '249bps', '--json'], {
      env: here,
    })
    expect([code, JSON.parse(err)]).toMatchObject([
      5,
      { code: 'listing/royalty-changed', facts: { tokenId: id, royaltyBps: 250, accepted: 249 } },
    ])
    expect(JSON.parse(err).message).toContain('of 2.5 % in total, more than the accepted 2.49 %')
    expect(await runJson('fork', id, '--yes', '--max-royalty', '2.5%')).toHaveProperty('tokenId')
  })
})

describe('an impossible call', () => {
  const cases: readonly (readonly [readonly string[], number, string])[] = [
    [['buy', '999', '--yes'], 3, 'token/not-found'],
    [['info', '999'], 3, 'token/not-found'],
    [['buy', 'ID', '--yes'], 5, 'listing/not-for-sale'],
    [['rent', 'ID', '--yes'], 5, 'listing/not-for-rent'],
    [['fork', 'ID', '--yes'], 5, 'listing/not-for-fork'],
    [['rent', 'ID', '--yes', '--days', '366'], 2, 'command/usage'],
    [['buy', 'x', '--yes'], 2, 'command/usage'],
    [['buy', 'ID', '--yes', '--recipient', '0x12'], 2, 'command/usage'],
    [['list', 'ID', '--price', '1.5'], 2, 'command/usage'],
    [['list', 'ID', '--royalty', '10001bps'], 2, 'command/usage'],
    [['fork', 'ID', '--yes', '--max-royalty', '101%'], 2, 'command/usage'],
    [['list', 'ID'], 2, 'command/usage'],
    [['info', 'ID', '--url', 'ftp://x'], 2, 'command/usage'],
    [['royalty', 'ID', '0'], 2, 'royalty/zero'],
  ]

  test.each(cases)('%s exits with %i', async (words, code, failure) => {
    const id = await mintToken()
    const line = words.map((word) => (word === 'ID' ? id : word))
    const result = await run([...line, '--json'], { env: here })
    expect([result.code, result.out, JSON.parse(result.err).code]).toEqual([code, '', failure])
  })

  test('reports a server that does not respond, and what to do', async () => {
    const unreachable = { env: { HEIRLOOM_URL: 'http://127.0.0.1:1' } }
    const { code, out, err } = await run(['info', '1'], unreachable)
    expect([code, out]).toEqual([7, ''])
    expect(err).toMatch(
      /^No server at http:.*\. Start one with heirloom serve, or correct HEIRLOOM_URL\.\n$/,
    )
  })
})
