import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer()

const ids = ({ items }: Record<string, unknown>) =>
  (items as readonly { readonly tokenId: string }[]).map(({ tokenId }) => tokenId)

describe('browse', () => {
  test('finds offers by price and card, and with --all every memory', async () => {
    const card = (title: string) => [
      '--title',
      title,
      '--tags',
      'equities',
      '--card-category',
      'trading',
    ]
    const [cheap, dear, hidden] = [
      await mintToken({}, ...card('A year of trades')),
      await mintToken({}, ...card('Ten years of trades')),
      await mintToken({}, ...card('Unlisted trades')),
    ]
    await runJson('list', cheap, '--price', '1gwei')
    await runJson('list', dear, '--price', '2gwei', '--fork-price', '5')
    expect(ids(await runJson('browse', 'trades', '--sort', 'price', '--order', 'asc'))).toEqual([
      cheap,
      dear,
    ])
    expect(ids(await runJson('browse', '--max-price', '1.5gwei', '--for', 'sale'))).toEqual([cheap])
    expect(ids(await runJson('browse', '--for', 'sale,fork'))).toEqual([dear])
    expect(
      ids(await runJson('browse', '--all', '--tag', 'equities', '--category', 'trading')),
    ).toEqual([hidden, dear, cheap])
    const page = await runJson('browse', '--all', '--limit', '2')
    expect(ids(page)).toEqual([hidden, dear])
    expect(ids(await runJson('browse', '--all', '--after', `${page.next}`))).toEqual([cheap])
    const { out } = await run(['browse', 'Ten'], { env: here })
    expect(out).toMatch(
      /^\d+ {2}Ten years of trades {2}trading, equities\n {3}For sale {2}0\.000000002 ether/,
    )
    expect((await run(['browse', 'unheard'], { env: here })).out).toBe(
      'No offer found. heirloom browse --all searches every memory, also those that are not offered.\n',
    )
    expect((await run(['browse', 'equitise'], { env: here })).out).toContain(
      'The nearest words of offers are “equities”.\n',
    )
    const all = await run(['browse', 'unheard', '--all'], { env: here })
    expect(all.out).toBe('Nothing found.\n')
  })

  test('refuses invalid options', async () => {
    for (const words of [
      ['--all', '--for', 'sale'],
      ['--for', 'gift'],
      ['--limit', '0'],
      ['--sort', 'size'],
      ['--owner', 'me'],
    ]) {
      expect((await run(['browse', ...words], { env: here })).code, words.join(' ')).toBe(2)
    }
  })
})

describe('lineage', () => {
  test('draws the tree and the split of a price', async () => {
    const root = await mintToken({}, '--title', 'The root')
    await runJson('list', root, '--fork-price', '10', '--royalty', '10%')
    const [one, two] = [await runJson('fork', root, '--yes'), await runJson('fork', root, '--yes')]
    const child = await mintToken({}, '--parent', `${one.tokenId}`)
    const { out } = await run(['lineage', `${one.tokenId}`, '--price', '50'], { env: here })
    const [by] = /0x\w{40}/.exec(out) ?? []
    expect(out).toBe(
      [
        `${root} “The root” by ${by}`,
        `└─ ${one.tokenId} fork, 10 % “The root” by ${by} ◀`,
        `   └─ ${child} by ${by}`,
        '',
        'Split of 0.00000000000000005 ether (50 wei)',
        `  token ${root}  0.000000000000000005 ether (5 wei) to ${by}`,
        '  seller   0.000000000000000045 ether (45 wei)',
        '',
      ].join('\n'),
    )
    const whole = (await run(['lineage', root], { env: here })).out
    expect(whole).toContain(`├─ ${one.tokenId} fork`)
    expect(whole).toContain(`│  └─ ${child} by`)
    expect(whole).toContain(`└─ ${two.tokenId} fork`)
  })
})

describe('a hostile response', () => {
  test('puts no control characters on the terminal', async () => {
    let hostileText = ''
    const hostileServer = createServer((request, reply) => {
      const isList = request.url?.startsWith('/api/memory') ?? false
      reply.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' })
      reply.end(isList ? listBody(hostileText) : problemBody(hostileText))
    }).listen(0, '127.0.0.1')
    await once(hostileServer, 'listening')
    const { port } = hostileServer.address() as AddressInfo
    const at = { env: { HEIRLOOM_URL: `http://127.0.0.1:${port}` } }
    const hostile = fc.string({
      unit: fc.constantFrom('\u{1B}', '\u{9B}', '[2J', '\u{7}', '\r', '\u{202E}', 'a'),
    })
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        hostileText = text
        for (const words of [
          ['browse', '--all'],
          ['lineage', '1'],
          ['info', '1'],
          ['browse', '--all', '--json'],
        ]) {
          const { out, err } = await run(words, at)
          expect(`${out}${err}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
        }
      }),
      { numRuns: 20 },
    )
    hostileServer.close()
  })
})

const token = (text: string) => ({
  tokenId: text,
  creator: text,
  owner: `${text}!`,
  parent: text,
  link: 'fork',
  royaltyBps: 5,
  card: { title: text, category: text, tags: [text] },
  listing: null,
  contentHash: text,
  storageUri: text,
  timestamp: '1',
})

const listBody = (text: string) =>
  JSON.stringify({
    ...token(text),
    items: [token(text)],
    next: text,
    token: token(text),
    ancestors: [],
    descendants: [],
    split: { price: '1', royalties: [{ to: text, amount: '1', tokenId: text }], rest: '0' },
  })

const problemBody = (text: string) =>
  JSON.stringify({
    type: 'about:blank',
    title: text,
    status: 404,
    detail: text,
    code: text,
    facts: { text },
    retryable: false,
  })
