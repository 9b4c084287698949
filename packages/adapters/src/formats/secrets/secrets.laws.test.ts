import { arbitraryJsonText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { exportMemory, findSecrets, importMemory, redactSecrets } from '../index.ts'
import {
  arbitrarySpelling,
  type Piece,
  plain,
  quote,
  redactedOf,
  type Spelling,
  secret,
  textOf,
} from '../test/json-spelling.ts'
import { arbitrarySecret, secretsByKind } from '../test/planted-secrets.ts'

/** Texts before and after a secret, without a word of a recovery phrase. */
const leading = fc.constantFrom('', 'Zzz ', '日本 ', '\n', '🧠 ', '\\ ', 'zzz: ', '\t', '"', '{ ')
const trailing = fc.constantFrom('', ' zzz', '\n', ' é.', ' \\', '"', ' }', ', zzz')

/** A text with a secret in it. */
const text = fc
  .tuple(leading, arbitrarySecret, trailing)
  .map(([before, { pieces }, after]) => [plain(before), ...pieces, plain(after)])

type Embedding = (pieces: readonly Piece[], spell: Spelling) => readonly Piece[]

const around = (before: string, pieces: readonly Piece[], after: string) => [
  plain(before),
  ...pieces,
  plain(after),
]

/** Positions of a text in JSON: a value, a name, an item, or in JSON in a string. */
const embeddings: readonly Embedding[] = [
  (it, spell) => around('{"note":', quote(it, spell), '}'),
  (it, spell) => around('{', quote(it, spell), ':[1]}'),
  (it, spell) => around('[0,', quote(it, spell), ',{"a":null}]'),
  (it, spell) => around('{"m":', quote(around('{"note":', quote(it, spell), '}'), spell), '}'),
  (it, spell) => around('{"m":', quote(around('{', quote(it, spell), ':1}'), spell), '}'),
  (it, spell) => {
    const inner = around('{"in":', quote(around('[', quote(it, spell), ']'), spell), '}')
    return around('', quote(inner, spell), '')
  },
]

const bundle = fc
  .tuple(arbitraryJsonText, text, fc.constantFrom(...embeddings), arbitrarySpelling, fc.boolean())
  .map(([other, pieces, embed, spelling, isInData]) => {
    const planted = embed(pieces, spelling())
    return isInData
      ? around(`{"data":{"x":${other},"y":`, planted, '},"metadata":{"category":"research"}}')
      : around(`{"data":{"x":${other}},"metadata":{"category":"a","y":`, planted, '}}')
  })

/** A secret of arbitrary characters, recognisable only by the name of its member. */
const named = fc
  .tuple(
    fc.constantFrom('password', 'db_password', 'apiKey', 'clientSecret', 'AWS_SECRET_ACCESS_KEY'),
    fc.stringMatching(/^[a-z]{4}[!-~]{4,12}7$/),
    arbitrarySpelling,
    fc.boolean(),
  )
  .map(([name, core, spelling, isNested]) => {
    const spell = spelling()
    const member = [...quote([plain(name)], spell), plain(':'), ...quote([secret(core)], spell)]
    const object = around('{', member, '}')
    const data = isNested ? around('{"m":', quote(object, spell), '}') : object
    return around('{"data":', data, ',"metadata":{"category":"a"}}')
  })

const bytes = (text: string) => new TextEncoder().encode(text)
const decode = (it: Uint8Array) => new TextDecoder().decode(it)
const file = (text: string) => [{ path: 'memory.json', bytes: bytes(text) }]

/** Redaction replaces every secret, changes nothing else, and leaves nothing to redact. */
const redacts = (memories: typeof bundle) =>
  fc.property(memories, (pieces) => {
    const { document } = importMemory(file(textOf(pieces)), { secrets: 'redact' })
    const left = decode(document)
    expect(left.replaceAll(/\(redacted-\d+\)/g, '#')).toBe(redactedOf(pieces))
    expect(importMemory(file(left), { secrets: 'refuse' }).document).toEqual(document)
  })

describe('redaction', () => {
  it('replaces every secret of a memory, however it is escaped, and changes nothing else', () => {
    fc.assert(redacts(bundle), { numRuns: times(250, 1000) })
  })

  it('replaces secrets that only the name of their member reveals', () => {
    fc.assert(redacts(named), { numRuns: times(125, 500) })
  })
})

test.each(Object.keys(secretsByKind))('%s is found as that kind', (kind) => {
  const planted = secretsByKind[kind] ?? arbitrarySecret
  fc.assert(
    fc.property(planted, ({ core, pieces }) => {
      const found = findSecrets(`zzz ${textOf(pieces)} zzz`)
      expect(found.map((it) => it.kind.replace(/ of \d+ words/, ''))).toContain(kind)
      expect(JSON.stringify(found)).not.toContain(core)
    }),
  )
})

describe('a secret that is repeated elsewhere', () => {
  it('is replaced there too, without any hint beside it', () => {
    const text = '{"password":"hunter22xyz","note":["I use hunter22xyz","hunter22\\u0078yz"]}'
    expect(redactSecrets(text).text).not.toMatch(/hunter22/)
  })
})

const path = fc
  .tuple(fc.constantFrom('', 'memory/', 'système/'), arbitrarySecret)
  .filter(([, { pieces }]) => pieces.length === 1 && !/[\n/]/.test(textOf(pieces)))
  .map(([folder, { core }]) => ({ core, path: `${folder}${core}.md` }))

describe('a folder', () => {
  it('is redacted in its texts, front matter and file names', () => {
    fc.assert(
      fc.property(path, arbitrarySecret, arbitrarySecret, (named, inMatter, inText) => {
        const text = `---\ntitle: |\n  ${textOf(inMatter.pieces).replaceAll('\n', '\n  ')}\n---\n${textOf(inText.pieces)}\n`
        const files = [{ path: named.path, bytes: bytes(text) }]
        expect(() => importMemory(files, { secrets: 'refuse' })).toThrow(
          expect.objectContaining({ code: 'import/secrets-found' }),
        )
        const { document } = importMemory(files, { secrets: 'redact' })
        const exported = exportMemory(document)
        const all = [decode(document), ...exported.map((it) => it.path + decode(it.bytes))].join()
        for (const { core } of [named, inMatter, inText]) expect(all).not.toContain(core)
        expect(importMemory(exported, { secrets: 'refuse' }).document).toEqual(document)
      }),
      { numRuns: times(75, 300) },
    )
  })
})

const hexadecimal = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((it) => Buffer.from(it).toString('hex'))

const sentence = fc.constantFrom(
  'The user prefers short answers and asked for the password policy of the company.',
  'She keeps the secret of the recipe: nothing is written down, and nobody asks.',
  'Tokens are counted at the end of each day; the key to success is patience.',
  'Remind him to renew the API key in March, and to rotate the private key of the server.',
  'Wallet 0x, seed funding: a round of two million; signer of the letter: the mayor.',
)

/** Ordinary content of memories, without secrets. */
const harmless = fc.oneof(
  sentence,
  fc.lorem({ mode: 'sentences' }),
  hexadecimal(32).map((hex) => `0x${hex}`),
  hexadecimal(32),
  hexadecimal(20).map((hex) => `0x${hex}`),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.webUrl({ withQueryParameters: true }),
  fc.emailAddress(),
  fc
    .uint8Array({ maxLength: 600 })
    .map((it) => `data:image/png;base64,${Buffer.from(it).toString('base64')}`),
)

const name = fc.constantFrom(
  ...['note', 'text', 'contentHash', 'txHash', 'hash', 'id', 'tokenId', 'address', 'image', 'key'],
  ...['walletAddress', 'wallet_tx', 'tokens', 'created_at', 'keys', 'sourceUri', 'namespace'],
)

describe('harmless text', () => {
  it('is not taken for a secret, under any name', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, harmless)), fc.boolean(), (members, isNested) => {
        const text = JSON.stringify(Object.fromEntries(members), undefined, 1)
        const shown = isNested ? JSON.stringify({ m: text }) : text
        expect(findSecrets(shown)).toEqual([])
        expect(redactSecrets(shown).text).toBe(shown)
        const prose = members.map(([title, it]) => `${title}: ${it}`).join('\n')
        expect(findSecrets(prose)).toEqual([])
      }),
      { numRuns: times(250, 1000) },
    )
  })
})
