import { describe, expect, test } from 'vitest'
import { folder, here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer({ WEBHOOKS_TO_PRIVATE: 'true' })

const usageOf = async (...words: string[]) => {
  const { code, err } = await run(words, { env: here })
  expect(code).toBe(2)
  return err
}

const card = ['--title', 'A year of trades', '--tags', 'equities', '--card-category', 'trading']

describe('activity', () => {
  test('shows events page by page, the newest first, of an account or a token', async () => {
    const id = await mintToken()
    await runJson('list', id, '--price', '7')
    const { out } = await run(['activity', '--token', id, '--limit', '1'], { env: here })
    expect(out).toMatch(new RegExp(`^\\S+ \\S+ UTC {2}listing of token ${id}: seller 0x.*\nMore `))
    const [, cursor = ''] = /--after (\S+)/.exec(out) ?? []
    const rest = await runJson('activity', '--token', id, '--after', cursor)
    expect(rest).toMatchObject({ items: [{ kind: 'mint', tokenId: id }, { kind: 'transfer' }] })
    const stranger = `0x${'7'.repeat(40)}`
    expect((await run(['activity', '--account', stranger], { env: here })).out).toBe(
      'Nothing happened.\n',
    )
  })

  test('shows the titles of the memories, and events of some kinds', async () => {
    const id = await mintToken({}, '--title', 'Berths of Oslo')
    await runJson('list', id, '--price', '7')
    const { out } = await run(['activity', '--token', id, '--kind', 'mint,sale'], { env: here })
    expect(out).toMatch(new RegExp(`^\\S+ \\S+ UTC {2}mint of token ${id}, Berths of Oslo: .*\n$`))
    expect(await usageOf('activity', '--kind', 'gift')).toMatch(
      /^--kind must be .*; it is gift\.\n$/,
    )
  })

  test('names the number of results that it does not take', async () => {
    expect(await usageOf('activity', '--limit', '101')).toBe(
      '--limit must be a whole number, from 1 to 100; it is 101.\n',
    )
  })
})

test('history shows a mint before the transfer of its token', async () => {
  const id = await mintToken()
  await runJson('list', id, '--price', '7')
  const { out } = await run(['history', id], { env: here })
  const kinds = [...out.matchAll(/UTC {2}(\w+) of token/g)].map(([, kind]) => kind)
  expect(kinds).toEqual(['mint', 'transfer', 'listing'])
})

describe('facets', () => {
  test('counts the offers that match the filters of browse', async () => {
    const id = await mintToken({}, ...card)
    await runJson('list', id, '--price', '1gwei')
    const { out } = await run(['facets', 'trades', '--for', 'sale'], { env: here })
    expect(out).toMatch(
      /^Offers +1\nBy offer +sale 1, rent 0, fork 0\nBy currency +native 1, dollar 0\nBy category +trading 1\nBy tag +equities 1\nBy maker +0x\w+ 1\n$/,
    )
    expect(await runJson('facets', '--max-price', '1')).toMatchObject({ total: 0, tags: [] })
    expect(await usageOf('facets', '--for', 'gift')).toBe(
      '--for must be sale, rent or fork, or several separated by commas; it is gift.\n',
    )
  })
})

describe('excerpts', () => {
  test('shows the values whose proofs lead to the root, with their mark', async () => {
    const id = await mintToken({ mood: 'calm' }, ...card, '--excerpt', '/data/mood')
    const { out } = await run(['excerpts', id], { env: here })
    expect(out).toBe('Mark        proven\n/data/mood  "calm"\n')
    expect(await runJson('excerpts', id)).toMatchObject({
      mark: 'proven',
      excerpts: [{ pointer: '/data/mood', value: '"calm"', path: expect.any(Array) }],
    })
    const bare = await mintToken()
    expect((await run(['excerpts', bare], { env: here })).out).toBe(
      `Token ${bare} shows no excerpt with a proof.\n`,
    )
  })
})

describe('earnings --each', () => {
  test('shows each payment, the newest first', async () => {
    const id = await mintToken()
    const { creator } = await runJson('info', id)
    await runJson('royalty', id, '7')
    const { out } = await run(['earnings', `${creator}`, '--each'], { env: here })
    expect(out).toMatch(new RegExp(`^\\S+ \\S+ UTC {2}royalties of token ${id}: .*\\(7 wei\\)\n$`))
    expect(await usageOf('earnings', `${creator}`, '--limit', '5')).toBe(
      '--limit and --after need --each: the sums are of all payments.\n',
    )
  })
})

describe('earnings, credit and faucet', () => {
  test('are of the wallet of the data folder where no address is given', async () => {
    const { agent } = await runJson('deployment')
    for (const command of ['earnings', 'credit', 'faucet']) {
      expect(await runJson(command), command).toMatchObject({ address: agent })
    }
    const { HEIRLOOM_URL } = here
    const stranger = await run(['credit'], { env: { HEIRLOOM_URL, DATA_DIR: `${folder}/none` } })
    expect(stranger.err).toBe(
      'No wallet of your own, and none in DATA_DIR. Pass the ADDRESS, make a wallet with heirloom login, or set HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE.\n',
    )
  })
})

describe('operator', () => {
  test('shows the version of the server and what failed there', async () => {
    const { out } = await run(['operator'], { env: here })
    expect(out).toMatch(/^Version +\d+\.\d+\.\d+.*\nStarted +\S+ \S+ UTC\nLog /)
  })
})

describe('webhook', () => {
  test('adds, lists and removes a webhook; its secret is shown once', async () => {
    expect((await run(['webhook', 'list'], { env: here })).out).toBe('There is no webhook.\n')
    const words = ['webhook', 'add', 'http://127.0.0.1:9/x', '--kind', 'sale,mint', '--token', '7']
    const { out } = await run(words, { env: here })
    const [, id = '', secret = ''] = /^Id +(\S+)\n.*\nSecret +(\w{64}) /.exec(out) ?? []
    const listed = (await run(['webhook', 'list'], { env: here })).out
    expect(listed).toMatch(/^Id +\S+\nURL +\S+\nEvents +sale, mint of token 7\nDelivered +none yet/)
    expect(listed).not.toContain(secret)
    expect((await run(['webhook', 'remove', id], { env: here })).out).toBe(`${id} is removed.\n`)
    expect(await runJson('webhook', 'list')).toEqual({ items: [] })
  })

  test('names what is wrong with its arguments', async () => {
    expect(await usageOf('webhook', 'remove', '7')).toBe(
      'TARGET must be the id of a webhook, as heirloom webhook list shows it; it is 7.\n',
    )
    expect(await usageOf('webhook', 'add')).toBe(
      'heirloom webhook add needs a TARGET: the URL that gets the events.\n',
    )
    expect(await usageOf('webhook', 'add', 'http://127.0.0.1:9', '--kind', 'gift')).toMatch(
      /^--kind must be mint, .*, or several separated by commas; it is gift\.\n$/,
    )
    expect(await usageOf('webhook', 'list', '--kind', 'sale')).toBe(
      '--kind and --token are for heirloom webhook add, not for list.\n',
    )
  })
})
