import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { longestWait } from '../../../../../test/tier.ts'
import { folder, here, mintToken, run, withServer } from '../../../test/command-harness.ts'
import { ada, ben, cleo, keyOf } from '../../../test/wallet-harness.ts'
import { openWallet } from '../../wallet/open-wallet.ts'
import { commandNames, loadCommand } from '../load-command.ts'

withServer()

const [adasKey, bensKey] = [keyOf(ada), keyOf(ben)]

const grantTo = ['grant', '7', '--to', ben.address] as const
/** An address whose first letter has the other case. */
const badlySpelt = ben.address.replace(/(?<=^0x.*?)[a-z]/i, (it) =>
  it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase(),
)
/** A day of the next month. */
const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

const as = async (key: string, words: readonly string[], more = {}) => {
  const env = { HEIRLOOM_URL: here.HEIRLOOM_URL, HEIRLOOM_PRIVATE_KEY: key, ...more }
  const { code, out, err } = await run(words, { env })
  expect(out + err).not.toContain(key.slice(2))
  return { code, out, err }
}
const asJson = async (key: string, ...words: readonly string[]) => {
  const { code, out, err } = await as(key, [...words, '--json'])
  expect(code, err).toBe(0)
  return JSON.parse(out)
}
const balanceOfServer = async () => {
  const wallet = await (await fetch(new URL('/api/wallet', here.HEIRLOOM_URL))).json()
  return (wallet as { readonly balance: string }).balance
}

describe('--as-wallet', () => {
  test('lists, rents, forks, buys, pays and transfers with wallets of the callers', async () => {
    const id = await mintToken({ for: 'ada' }, '--recipient', ada.address)
    const before = await balanceOfServer()
    const prices = ['--price', '0.5ether', '--rent', '1gwei', '--fork-price', '7gwei']
    await asJson(adasKey, 'list', id, ...prices, '--as-wallet')
    const limit = ['--max-price', '0.5ether', '--as-wallet'] as const
    await asJson(bensKey, 'rent', id, '--days', '2', ...limit)
    const child = await asJson(bensKey, 'fork', id, ...limit)
    expect(await asJson(bensKey, 'info', child.tokenId)).toMatchObject({ creator: ben.address })
    const bought = await asJson(bensKey, 'buy', id, ...limit)
    expect(bought).toMatchObject({ price: '500000000000000000' })
    await asJson(bensKey, 'royalty', child.tokenId, '5', '--as-wallet')
    const dear = await as(bensKey, ['transfer', id, ada.address, '--yes'], {
      HEIRLOOM_MAX_FEE: '9',
    })
    expect(dear).toMatchObject({
      code: 6,
      err: expect.stringContaining('allows 0.000000000000000009ether for one act'),
    })
    const moved = await asJson(bensKey, 'transfer', id, ada.address, '--yes')
    expect(moved).toMatchObject({ to: ada.address })
    expect(await balanceOfServer()).toBe(before)
    const read = await asJson(adasKey, 'download', id)
    expect(read.data).toEqual({ for: 'ada' })
  })

  test('grants a memory to another wallet, which reads it until the grant is revoked', async () => {
    const id = await mintToken({ for: 'ada' }, '--recipient', ada.address)
    const refused = await as(bensKey, ['download', id, '--json'])
    const terms = ['--to', ben.address, '--until', soon, '--label', 'auditor'] as const
    const { id: grant, grant: granted } = await asJson(adasKey, 'grant', id, ...terms)
    expect(granted.statement).toBe(
      `I let ${ben.address} read the memory of token ${id} until ${soon} (UTC), as long as I own it, at ${here.HEIRLOOM_URL}. I can take this back.`,
    )
    const own = await asJson(adasKey, 'download', id)
    expect(await asJson(bensKey, 'download', id, '--grant', grant)).toEqual(own)
    expect(await asJson(bensKey, 'part', id, '/data/for', '--grant', grant)).toMatchObject({
      value: 'ada',
    })
    expect(await as(bensKey, ['download', id, '--json'])).toEqual(refused)
    const { items } = await asJson(adasKey, 'grants')
    expect(items).toMatchObject([{ id: grant, label: 'auditor', grant: { reader: ben.address } }])
    // A reader neither erases the memory nor lists its token, nor lets others read it.
    for (const words of [
      ['erase', id, '--yes'],
      ['list', id, '--price', '7', '--as-wallet'],
      ['grant', id, '--to', ada.address, '--until', soon],
    ]) {
      const { code, err } = await as(bensKey, [...words, '--json'])
      expect([code > 0, JSON.parse(err).code]).toEqual([true, expect.stringMatching(/not-owner$/)])
    }
    await asJson(adasKey, 'revoke', '--grant', grant)
    const late = await as(bensKey, ['download', id, '--grant', grant, '--json'])
    expect(JSON.parse(late.err).code).toBe('access/denied')
    expect((await asJson(adasKey, 'grants')).items).toEqual([])
  })

  test('shows a reader the grants of owners that it accepted, and deposits at further servers', async () => {
    const file = join(folder, 'seen.json')
    writeFileSync(file, JSON.stringify({ data: {}, metadata: { category: 'x' } }))
    await asJson(adasKey, 'save', 'seen', file, '--as-wallet')
    const terms = ['grant', 'seen', '--to', ben.address, '--until', soon] as const
    const nowhere = ['--at', 'http://127.0.0.1:9', '--save', '--json'] as const
    const { code, out } = await as(adasKey, [...terms, ...nowhere])
    const { id, elsewhere } = JSON.parse(out)
    expect([code, elsewhere]).toEqual([
      10,
      [{ url: 'http://127.0.0.1:9', problem: expect.stringContaining('127.0.0.1:9') }],
    ])
    const none = await as(bensKey, ['grants', '--to-me'])
    expect(none.out).toMatch(/^No owner that you accepted/)
    const [refused, stranger] = await Promise.all(
      [ben, cleo].map((it) => as(adasKey, ['grants', 'accept', it.address, '--json'])),
    )
    for (const it of [refused, stranger]) {
      expect(JSON.parse(it?.err ?? '').code).toBe('grant/not-found')
    }
    await asJson(bensKey, 'grants', 'accept', ada.address)
    const shown = await as(bensKey, ['grants', '--to-me'])
    expect(shown.out).toMatch(
      new RegExp(`^${ada.address}:seen +read and save +until ${soon} .*${id}\\n$`),
    )
    await asJson(bensKey, 'grants', 'ignore', ada.address)
    expect((await asJson(bensKey, 'grants', '--to-me')).items).toEqual([])
    await asJson(bensKey, 'log', `${ada.address}:seen`, '--grant', id)
    expect((await as(adasKey, ['openings', 'seen'])).code).toBe(0)
    await asJson(adasKey, 'names', 'forget', 'seen', '--as-wallet', '--yes')
  })

  test.each([
    [['revoke', `0x${'ab'.repeat(32)}`], 'Give the id of a grant behind --grant'],
    [['grants', 'accept'], 'needs the ADDRESS'],
    [['grants', 'accept', ada.address, '--to-me'], '--to-me lists grants'],
    [['grants', 'share', ada.address], 'ACTION of grants must be accept or ignore'],
    [[...grantTo, '--until', '2020-01-31'], '--until must be a day that has not ended yet'],
    [[...grantTo, '--until', '2099-01-31'], '--until must be a day that ends within 366 days'],
    [[...grantTo, '--until', '31.1.'], '--until must be a day of the calendar'],
    [[...grantTo, '--until', soon, '--save'], '--save is for a name such as ada; token 7 is one'],
    [
      ['grant', 'ada@1', '--to', ben.address, '--until', soon],
      'A grant is of all versions; leave out @1.',
    ],
    [
      ['grant', 'ada', '--to', badlySpelt, '--until', soon],
      '--to has a typing error: its checksum is wrong.',
    ],
    [['profile', 'show', badlySpelt], 'ADDRESS has a typing error: its checksum is wrong.'],
    [
      ['download', 'ada', '--grant', `0x${'ab'.repeat(32)}`],
      'ID must be a name with its owner, as in 0x…:ada, together with --grant',
    ],
    [
      ['openings', `${ben.address}:ada`],
      'ID names a memory of another account, which download, log, outline, part',
    ],
    [[...grantTo, '--until', soon, '--label', 'x'.repeat(65)], '--label cannot be used'],
  ])('explains %j', async (words, problem) => {
    const { code, err } = await as(adasKey, words)
    expect([code, err]).toEqual([2, expect.stringContaining(problem)])
  })

  test('grants a name, of which another wallet reads each version until it is renamed', async () => {
    const file = join(folder, 'trip.json')
    const save = async (plan: string) => {
      writeFileSync(file, JSON.stringify({ data: { plan }, metadata: { category: 'x' } }))
      return (await asJson(adasKey, 'save', 'trip', file, '--as-wallet')).tokenId
    }
    const first = await save('the train')
    const terms = ['--to', ben.address, '--until', soon] as const
    const { id: grant, grant: granted } = await asJson(adasKey, 'grant', 'trip', ...terms)
    expect(granted.statement).toBe(
      `I let ${ben.address} read the memory of trip, begun as token ${first} until ${soon} (UTC), as long as I own it, at ${here.HEIRLOOM_URL}. I can take this back.`,
    )
    const second = await save('the boat')
    const name = `${ada.address}:trip`
    const by = ['--grant', grant] as const
    expect((await asJson(bensKey, 'download', name, ...by)).data).toEqual({ plan: 'the boat' })
    expect((await asJson(bensKey, 'download', `${name}@1`, ...by)).data).toEqual({
      plan: 'the train',
    })
    expect((await asJson(bensKey, 'part', name, '/data/plan', ...by)).value).toBe('the boat')
    const log = await asJson(bensKey, 'log', name, ...by)
    expect(log.items.map((it: { tokenId: string }) => it.tokenId)).toEqual([second, first])
    const { matches } = await asJson(bensKey, 'recall', 'boat', ...by)
    expect(matches).toMatchObject([{ memory: name, text: expect.stringContaining('boat') }])
    // The bare name is that of the caller, and another name is not that of the grant.
    for (const words of [
      ['log', 'trip', ...by],
      ['log', name],
      ['log', `${ben.address}:trip`, ...by],
      ['download', `${ada.address}:other`, ...by],
    ]) {
      expect(await as(bensKey, words)).toMatchObject({ code: 2, out: '' })
    }
    const renamed = await asJson(adasKey, 'names', 'rename', 'trip', 'trips', '--as-wallet')
    expect(renamed).toMatchObject({ endedGrants: 1 })
    const late = await as(bensKey, ['log', name, ...by, '--json'])
    expect(JSON.parse(late.err).code).toBe('access/denied')
    const again = await asJson(adasKey, 'grant', 'trips', ...terms)
    await asJson(adasKey, 'revoke', '--grant', again.id)
    const revoked = await as(bensKey, ['download', second, '--grant', again.id, '--json'])
    expect(JSON.parse(revoked.err).code).toBe('access/denied')
    const third = await asJson(adasKey, 'grant', 'trips', ...terms)
    expect(third.grant.name).toBe('trips')
    const forgotten = await asJson(adasKey, 'names', 'forget', 'trips', '--as-wallet', '--yes')
    expect(forgotten).toMatchObject({ forgotten: 'trips', endedGrants: 1 })
  })

  test('shows who may save, and which grants are left to a reader when one is revoked', async () => {
    const file = join(folder, 'shared.json')
    writeFileSync(file, JSON.stringify({ data: {}, metadata: { category: 'x' } }))
    await asJson(adasKey, 'save', 'shared', file, '--as-wallet')
    const grant = async (reader: string, ...more: readonly string[]) => {
      const words = ['grant', 'shared', '--to', reader, '--until', soon, ...more]
      const { out } = await as(adasKey, words)
      const [, id = ''] = /^Grant +(0x\w+)$/m.exec(out) ?? []
      return { id, out }
    }
    const one = await grant(ben.address)
    const other = await grant(ben.address, '--save')
    const cleos = await grant(cleo.address)
    const save = `heirloom save ${ada.address}:shared FILE --after N --grant`
    expect(other.out).toMatch(new RegExp(`^To save +${save} ${other.id}$`, 'm'))
    expect(one.out).not.toContain('heirloom save')
    const { out } = await as(adasKey, ['grants'])
    expect(out).toMatch(new RegExp(`${ben.address} +read and save +until .*${other.id}`))
    expect(out).toMatch(new RegExp(`${ben.address} +read +until .*${one.id}`))
    const revoked = await as(adasKey, ['revoke', '--grant', one.id])
    const still = `${ben.address} still may read and save shared by ${other.id}.`
    expect(revoked.out).toMatch(new RegExp(`^Revoked +${one.id}\n${still}\n$`))
    const last = await asJson(adasKey, 'revoke', '--grant', other.id)
    expect(last).toEqual({ revoked: other.id, remaining: [] })
    await asJson(adasKey, 'revoke', '--grant', cleos.id)
    await asJson(adasKey, 'names', 'forget', 'shared', '--as-wallet', '--yes')
  })

  test('snapshots and imports memories of which the wallet is the creator', async () => {
    const before = await balanceOfServer()
    const file = join(folder, 'own.json')
    writeFileSync(file, JSON.stringify({ learned: ['tea'] }))
    const words = ['snapshot', file, '--category', 'x', '--title', 'Tea', '--as-wallet'] as const
    const cost = await asJson(adasKey, ...words, '--dry-run')
    expect(cost).toMatchObject({ act: 'mint', from: ada.address, price: '0' })
    const minted = await asJson(adasKey, ...words)
    const imported = await asJson(adasKey, 'import', file, '--category', 'x', '--as-wallet')
    for (const { tokenId } of [minted, imported]) {
      expect(await asJson(adasKey, 'info', tokenId)).toMatchObject({ creator: ada.address })
      expect((await asJson(adasKey, 'download', tokenId)).data).toBeDefined()
    }
    expect(await balanceOfServer()).toBe(before)
  })

  test('saves to a name of the wallet, and reads and restores it', async () => {
    const file = join(folder, 'diary.json')
    const write = (mood: string) => writeFileSync(file, JSON.stringify({ mood }))
    const save = (...more: readonly string[]) =>
      ['save', 'diary', file, '--category', 'x', '--as-wallet', ...more] as const
    write('calm')
    const first = await asJson(adasKey, ...save('--after', '0'))
    write('glad')
    const second = await asJson(adasKey, ...save())
    expect([first.version, second.version]).toEqual([1, 2])
    const same = { tokenId: second.tokenId, version: 2, unchanged: true }
    expect(await asJson(adasKey, ...save())).toMatchObject(same)
    expect(await asJson(adasKey, 'info', second.tokenId)).toMatchObject({
      creator: ada.address,
      parent: first.tokenId,
    })
    const moved = await as(adasKey, [...save('--after', first.tokenId), '--json'])
    expect([moved.code, JSON.parse(moved.err).code]).toEqual([5, 'name/moved'])
    const { items } = await asJson(adasKey, 'log', 'diary', '--as-wallet')
    expect(items.map((it: { tokenId: string }) => it.tokenId)).toEqual([
      ...[second.tokenId, first.tokenId],
    ])
    const names = await asJson(adasKey, 'names', '--as-wallet')
    expect(names.items).toMatchObject([{ name: 'diary', last: { tokenId: second.tokenId } }])
    expect((await asJson(adasKey, 'names')).items).toMatchObject([{ name: 'diary' }])
    const restored = await as(adasKey, ['restore', 'diary', '--as-wallet'])
    expect(JSON.parse(restored.out).data).toEqual({ mood: 'glad' })
    const old = await as(adasKey, ['restore', 'diary', '--version', '1', '--as-wallet'])
    expect(JSON.parse(old.out).data).toEqual({ mood: 'calm' })
    const none = await as(bensKey, ['restore', 'diary', '--as-wallet'])
    expect([none.code, none.err]).toEqual([3, expect.stringContaining('names --as-wallet lists')])
  })

  test('--dry-run shows the price, the fees and the payer, and signs nothing', async () => {
    const id = await mintToken({ for: 'ada' }, '--recipient', ada.address)
    const described = await asJson(adasKey, 'list', id, '--price', '5', '--as-wallet', '--dry-run')
    expect(described).toMatchObject({ dryRun: true, act: 'list', from: ada.address, price: '0' })
    expect(BigInt(described.maxFee)).toBeGreaterThan(0n)
    await asJson(adasKey, 'list', id, '--price', '5', '--as-wallet')
    const words = ['buy', id, '--as-wallet', '--dry-run']
    const { out } = await as(bensKey, words)
    expect(out).toMatch(/^Dry run: nothing is signed or sent\.$/m)
    expect(out).toMatch(/^Would pay +0\.0+5 ether \(5 wei\), and at most \d.* in fees$/m)
    expect(out).toMatch(new RegExp(`^From your wallet +${ben.address}, which holds`, 'm'))
    const poor = `0x${'7'.repeat(64)}` as const
    expect((await as(poor, words)).out).toContain('The wallet holds less than this.')
    const own = await mintToken({ for: 'poor' }, '--recipient', privateKeyToAccount(poor).address)
    const short = (await as(poor, ['transfer', own, ben.address, '--dry-run'])).out
    expect(short).toMatch(/^Would pay +at most \d.* in fees$/m)
    expect(short).toContain('The wallet holds less than this.')
    expect((await asJson(adasKey, 'info', id)).listing).toMatchObject({ seller: ada.address })
  })

  test('names the transaction before it ends, without --json', async () => {
    const id = await mintToken({ for: 'ada' }, '--recipient', ada.address)
    const { code, err, out } = await as(adasKey, ['list', id, '--price', '5', '--as-wallet'])
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^Sending transaction 0x[0-9a-f]{64}\n$/),
    ])
    expect(out).toContain(err.trim().split(' ').at(-1))
  })

  test('refuses the key of the server, and no key', async () => {
    const id = await mintToken()
    const words = ['list', id, '--price', '5', '--as-wallet', '--json']
    const without = await run(words, { env: here })
    expect([without.code, JSON.parse(without.err).code]).toEqual([4, 'client/no-account'])
    const agentKey = readFileSync(`${here.DATA_DIR}/agent.key`, 'utf8').trim()
    const own = await run(words, { env: { ...here, HEIRLOOM_PRIVATE_KEY: agentKey } })
    expect([own.code, JSON.parse(own.err).code]).toEqual([2, 'config/invalid'])
  })

  test.each([
    [['list', '1', '--price', '1', '--rpc-url', 'http://127.0.0.1:1'], 'need --as-wallet'],
    [['list', '1', '--price', '1', '--relayed'], 'need --as-wallet'],
    [['buy', '1', '--max-price', '5usd'], 'needs --as-wallet'],
    [['royalty', '1', '5usd'], 'needs --as-wallet'],
    [['list', '1', '--price', '1', '--as-wallet', '--rpc-url', 'x'], '--rpc-url must be'],
    [['transfer', '1', 'x'], 'ADDRESS must be'],
    [['withdraw', '--to', 'x'], '--to must be'],
  ])('explains %j', async (words, problem) => {
    const { code, err } = await as(adasKey, words)
    expect([code, err]).toEqual([2, expect.stringContaining(problem)])
  })

  test('a key among the arguments of any command is refused and not printed', async () => {
    for (const name of commandNames) {
      for (const words of [
        [name, adasKey],
        [name, '--to', adasKey],
        [name, `--key=${adasKey}`],
      ]) {
        const { code, out, err } = await run(words, { env: here })
        expect([code !== 0, out + err], name).toEqual([true, expect.not.stringContaining(adasKey)])
      }
      const options = Object.keys((await loadCommand(name))?.options ?? {})
      expect(options.filter((it) => /private|mnemonic/.test(it))).toEqual([])
    }
  })
})

describe('--relayed', () => {
  test('an account with dollars alone makes, lists, rents, forks, buys and pays', async () => {
    const [seller, buyer] = [generatePrivateKey(), generatePrivateKey()]
    const [from, to] = [seller, buyer].map((key) => privateKeyToAccount(key).address)
    for (const address of [from, to]) {
      const given = await asJson(adasKey, 'faucet', address ?? '')
      expect(given).toMatchObject({ address, amount: '100000000', playMoney: true })
    }
    const file = join(folder, 'relayed.json')
    writeFileSync(file, JSON.stringify({ learned: ['tea'] }))
    const own = ['--as-wallet', '--relayed'] as const
    const { tokenId } = await asJson(seller, 'snapshot', file, '--category', 'x', ...own)
    const prices = ['--price', '5usd', '--rent', '0.25usd', '--fork-price', '2usd']
    await asJson(seller, 'list', tokenId, ...prices, ...own)

    const rent = ['rent', tokenId, '--days', '4'] as const
    const { out } = await as(buyer, [...rent, '--dry-run', ...own])
    expect(out).toMatch(/^Would pay +1 USD, and no fees$/m)
    expect(out).toMatch(/^ +1 USD to 0x\w{40}, the seller$/m)
    expect(out).toMatch(/^From your wallet +0x\w{40}, which holds 100 USD and 0 ether \(0 wei\)$/m)
    const rented = await asJson(buyer, ...rent, '--max-price', '1usd', ...own)
    expect(rented).toMatchObject({ price: '0', dollars: { price: '1000000' } })
    const env = { HEIRLOOM_RELAYED: 'true' }
    const forked = await as(buyer, ['fork', tokenId, '--yes', '--as-wallet'], env)
    expect([forked.code, forked.out]).toEqual([0, expect.stringMatching(/^Paid +2 USD$/m)])
    expect(forked.err).toMatch(/^The server relays what you signed, 0x\w{64}, until .* UTC$/m)
    await asJson(buyer, 'buy', tokenId, '--max-price', '5usd', ...own)
    await asJson(buyer, 'rate', tokenId, '4')
    const { out: found } = await as(seller, ['browse', '--all', '--creator', from ?? ''])
    expect(found).toMatch(/^ +Rated +4\.0 of 5 by 1 account that paid$/m)
    const thanks = await asJson(buyer, 'royalty', tokenId, '0.5usd', ...own)
    expect(thanks).toMatchObject({ to: from, amount: '0', dollars: { amount: '500000' } })
    expect(await asJson(buyer, 'download', tokenId)).toMatchObject({ data: { learned: ['tea'] } })
    const none = await as(seller, ['withdraw', '--dollars', '--relayed', '--json'])
    expect([none.code, JSON.parse(none.err).code]).toEqual([5, 'credit/none'])
  })

  test('pays no more than the limit, in its currency alone', async () => {
    const id = await mintToken({ for: 'ada' }, '--recipient', ada.address)
    await asJson(adasKey, 'list', id, '--price', '5usd', '--as-wallet')
    for (const [limit, code] of [
      ['4.999999usd', 'listing/over-max-price'],
      ['1ether', 'listing/currency-changed'],
    ] as const) {
      const buy = ['buy', id, '--max-price', limit, '--as-wallet', '--relayed', '--json']
      const { code: exit, err } = await as(bensKey, buy)
      expect([exit, JSON.parse(err).code]).toEqual([5, code])
    }
  })
})

describe('credit and withdraw', () => {
  test('report that there is no credit', async () => {
    const none = { address: ada.address, credit: '0', dollars: { credit: '0' } }
    expect(await asJson(adasKey, 'credit')).toEqual(none)
    expect(await asJson(adasKey, 'credit', ben.address)).toMatchObject({ address: ben.address })
    const { code, err } = await as(adasKey, ['withdraw', '--json'])
    expect([code, JSON.parse(err).code]).toEqual([5, 'credit/none'])
  })
})

describe('save --grant', () => {
  const file = () => {
    const path = join(folder, 'granted.json')
    writeFileSync(path, JSON.stringify({ data: { by: 'ben' }, metadata: { category: 'x' } }))
    return path
  }
  const grant = async (name: string, ...more: readonly string[]) => {
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const terms = ['--to', ben.address, '--until', until] as const
    return (await asJson(adasKey, 'grant', name, ...terms, ...more)).id as string
  }
  /** Returns a grant that ends in a second, when it has ended. */
  const ended = async (name: string) => {
    const wallet = await openWallet({ url: here.HEIRLOOM_URL, account: ada })
    const expires = Math.floor(Date.now() / 1000) + 2
    const terms = { name, reader: ben.address, rights: 'read and save' } as const
    const { id } = await wallet.grant({ ...terms, expires })
    const read = () => as(bensKey, ['log', `${ada.address}:${name}`, '--grant', id])
    await expect.poll(async () => (await read()).code, { timeout: longestWait }).toBe(4)
    return id
  }
  const revoked = async (name: string) => {
    const id = await grant(name, '--save')
    await asJson(adasKey, 'revoke', '--grant', id)
    return id
  }
  const renamed = async (name: string) => {
    const id = await grant(name, '--save')
    await asJson(adasKey, 'names', 'rename', name, `${name}/old`, '--as-wallet')
    await asJson(adasKey, 'names', 'rename', `${name}/old`, name, '--as-wallet')
    return id
  }
  const toSave = (name: string) => grant(name, '--save')

  test('of a name again says which grant there is, and a reader removes a value by the one to save', async () => {
    const name = 'removed'
    await asJson(adasKey, 'save', name, file(), '--as-wallet')
    const reads = await grant(name)
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const again = await as(adasKey, [
      'grant',
      name,
      '--to',
      ben.address,
      '--until',
      until,
      '--save',
    ])
    expect(again.out).toContain(
      `It may read by ${reads} already, until ${until} (UTC). Revoking one leaves the other.`,
    )
    const [, saves = ''] = /^Grant +(0x[0-9a-f]{64})$/m.exec(again.out) ?? []
    const words = ['remove', `${ada.address}:${name}`, '/data/by', '--grant'] as const
    expect((await as(bensKey, [...words, reads])).code).toBe(4)
    expect(await asJson(bensKey, ...words, saves)).toMatchObject({ version: 2 })
    expect((await as(bensKey, [...words, saves])).code).toBe(3)
    const [last] = (await asJson(adasKey, 'log', name, '--as-wallet')).items
    expect([last.savedBy, last.owner]).toEqual([ben.address, ada.address])
    const { data } = await asJson(adasKey, 'download', last.tokenId)
    expect(data).toEqual({})
  })

  test.each([
    ['with a grant to read alone', 'read', grant, [], 4, 'access/denied'],
    ['after the end of the grant', 'ended', ended, [], 4, 'access/denied'],
    ['after its revocation', 'revoked', revoked, [], 4, 'access/denied'],
    ['after a renaming of the name, also back', 'renamed', renamed, [], 4, 'access/denied'],
    [
      'with an unknown grant',
      'unknown',
      async () => `0x${'ab'.repeat(32)}`,
      [],
      4,
      'access/denied',
    ],
    ['after another version than the last', 'moved', toSave, ['--after', '0'], 5, 'name/moved'],
    ['for another owner', 'other', toSave, ['--recipient', ben.address], 2, undefined],
  ] as const)('saves nothing %s', async (_, name, make, more, code, failure) => {
    await asJson(adasKey, 'save', name, file(), '--as-wallet')
    const id = await make(name)
    const words = ['save', `${ada.address}:${name}`, file(), '--grant', id, ...more] as const
    const refused = await as(bensKey, [...words, '--json'])
    expect([refused.code, refused.out]).toEqual([code, ''])
    if (failure !== undefined) expect(JSON.parse(refused.err).code).toBe(failure)
    expect((await asJson(adasKey, 'log', name, '--as-wallet')).items).toHaveLength(1)
  })
})
