import {
  compareSample,
  type Hash,
  isUnderRoot,
  itemsRoot,
  type Salt,
  salt,
  sampleOf,
} from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sealer } from './chunks.ts'
import { commitItems } from './commit-items.ts'
import { commitTo, readExcerpts, sectionsOf, writeExcerpts } from './commitment.ts'
import { type Bound, writeContext } from './envelope.ts'
import { sha256 } from './hashes.ts'
import { naclCipher, sealingKeyRing } from './nacl.ts'
import { envelopeKeys, sealHeader } from './sealed-header.ts'
import { loadSecretbox } from './secretbox.ts'
import { context } from './test/bound-cipher.ts'

const blobs = memoryBlobStore()
const encode = (text: string) => new TextEncoder().encode(text)
const cipherWith = (byte: number) =>
  naclCipher({ keys: sealingKeyRing([new Uint8Array(32).fill(byte)]), documentLimit: 2 ** 26 })

const honest = encode(
  '{"data":{"trade":"won 10","secret":"swordfish"},"metadata":{"category":"x"}}',
)
const junk = encode('{"data":{"trade":"lost 99"},"metadata":{"category":"x"}}')

const commit = (document: Uint8Array, of: Salt, excerpts: readonly string[]) =>
  commitItems({ document, options: { blobs, excerpts } }, { salt: Buffer.from(of.slice(2), 'hex') })

describe('a head with excerpts', () => {
  test('shows the excerpts and nothing else of the document', async () => {
    const { sealed, headLength } = await cipherWith(1).seal(honest, context, {
      blobs,
      excerpts: ['/data/trade'],
    })
    const bytes = Buffer.from(sealed)
    expect(bytes.indexOf('won 10')).toBeLessThan(headLength)
    for (const hidden of ['secret', 'swordfish', 'category'])
      expect(bytes.includes(hidden)).toBe(false)
  })

  test('of a long document is committed to in a worker, with the same root', async () => {
    const list = Array.from({ length: 20_000 }, (_, at) => `note ${at}`)
    const document = encode(JSON.stringify({ data: { list }, metadata: { category: 'x' } }))
    const of = salt(`0x${'07'.repeat(32)}`)
    const pointers = ['/data/list/3', '/data/list/19999']
    const shown = sectionsOf(commitTo({ document, salt: of, pointers }))
    expect(await commit(document, of, pointers)).toEqual({ shown, document })
    const refused = commit(document, of, ['/data/list/9000'])
    await expect(refused).rejects.toMatchObject({ code: 'excerpt/not-in-memory' })
    expect(document.length).toBeGreaterThan(200_000)
  })
})

/** Seals a document with the public sections of another, as a maker with a server of its own can. */
function forge(document: Uint8Array, shown: Pick<Bound, 'items' | 'excerpts'>, own: Salt) {
  const [random, secretbox] = [(length: number) => new Uint8Array(length).fill(9), loadSecretbox()]
  const dataKey = random(32)
  const keys = envelopeKeys(dataKey)
  const payload = new Uint8Array(document.length + 16)
  const chunks = sealer({ secretbox, key: keys.payload, chunkPrefix: random(19) }, payload)
  chunks.add(document)
  chunks.end()
  const saltBytes = Buffer.from(own.slice(2), 'hex')
  const contentHash = sha256(Buffer.concat([saltBytes, document]))
  const bound = {
    contentHash,
    compressed: false,
    chunkPrefix: random(19),
    sealedLength: payload.length,
  }
  const header = sealHeader(
    {
      bound: { ...bound, ...shown, context: writeContext(context), packs: undefined },
      hidden: {
        salt: saltBytes,
        documentLength: document.length,
        lineName: undefined,
        savedBy: undefined,
      },
      randomParts: {
        dataKey,
        wrapSalt: random(16),
        wrapNonce: random(24),
        hiddenNonce: random(24),
      },
      keys,
      line: undefined,
    },
    { sealingKey: sealingKeyRing([new Uint8Array(32).fill(2)]).current(), secretbox },
  )
  return Buffer.concat([header, payload])
}

describe('a maker who copies the root and the excerpts of another over junk', () => {
  const of = salt(`0x${'05'.repeat(32)}`)
  const shown = sectionsOf(commitTo({ document: honest, salt: of, pointers: ['/data/trade'] }))
  const forged = forge(junk, shown, of)

  test('is called committed at most, by every server but its own', () => {
    const { itemsRoot: root, excerpts, isAuthentic } = cipherWith(1).inspect(forged)
    expect(isAuthentic).toBe(false)
    expect(excerpts).toMatchObject([{ pointer: '/data/trade', value: '"won 10"' }])
    expect(sampleOf('unverified', { root, excerpts })?.mark).toBe('committed')
    expect(sampleOf('copied', { root, excerpts })).toBeUndefined()
  })

  test('is found by whoever opens the memory', async () => {
    const maker = cipherWith(2)
    const { document, salt: opened } = await maker.open(forged, context, blobs)
    const { itemsRoot: root = '', excerpts = [] } = maker.inspect(forged)
    const items = itemsRoot(document, { salt: opened, sha256 })
    expect(compareSample(items, { root, excerpts })).toEqual({
      isRoot: false,
      wrong: ['/data/trade'],
    })
  })
})

describe('the excerpts of a head that anybody wrote', () => {
  const of = salt(`0x${'05'.repeat(32)}`)
  const made = commitTo({ document: honest, salt: of, pointers: ['/data/trade'] })
  const shown = made?.excerpts ?? []
  const inspectWith = (excerpts: Uint8Array) =>
    cipherWith(1).inspect(forge(junk, { ...sectionsOf(made), excerpts }, of))

  test('are read as they were written, and from other bytes without an error', () => {
    expect(readExcerpts(writeExcerpts(shown))).toEqual(shown)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (noise, at) => {
        const bytes = Buffer.from(writeExcerpts(shown))
        const changed = Buffer.concat([bytes.subarray(0, at % bytes.length), noise])
        for (const excerpt of readExcerpts(changed) ?? []) {
          isUnderRoot(excerpt, made?.root as Hash, sha256)
        }
      }),
    )
  })

  test('are shown all or none', () => {
    const [first] = shown
    const lies = [
      [{ ...first, value: '"won 11"' }],
      [...shown, { ...first, pointer: '/data/other' }],
      [...shown, ...shown],
    ] as (typeof shown)[]
    expect(inspectWith(writeExcerpts(shown)).excerpts).toEqual(shown)
    for (const lie of lies) expect(inspectWith(writeExcerpts(lie))).not.toHaveProperty('excerpts')
    expect(inspectWith(Buffer.from('junk'))).not.toHaveProperty('excerpts')
  })

  test('are not read beyond their number, however many there are', () => {
    const many = (count: number) => writeExcerpts(Array.from({ length: count }, () => shown).flat())
    expect(readExcerpts(many(16))).toHaveLength(16)
    expect(readExcerpts(many(17))).toBeUndefined()
    expect(readExcerpts(many(10_000))).toBeUndefined()
    expect(() => inspectWith(many(10_000))).toThrow(
      expect.objectContaining({ code: 'bundle/unreadable' }),
    )
  })

  test('are refused when they could mislead', async () => {
    const document = encode(JSON.stringify({ data: { a: '\u202eevil', b: 'fine' } }))
    for (const pointers of [
      ['/data/a'],
      ['/data/b', '/data/b'],
      Array.from({ length: 17 }, (_, at) => `/${at}`),
    ]) {
      const refusal = { code: 'card/malformed' }
      await expect(commit(document, of, pointers)).rejects.toMatchObject(refusal)
    }
    const [entry] = commitTo({ document, salt: of, pointers: ['/data/b'] })?.excerpts ?? []
    const items = itemsRoot(document, { salt: of, sha256 })
    const evil = writeExcerpts([items?.prove('/data/a') as NonNullable<typeof entry>])
    const bytes = forge(
      document,
      { items: Buffer.from(items?.root.slice(2) ?? '', 'hex'), excerpts: evil },
      of,
    )
    expect(cipherWith(1).inspect(bytes).itemsRoot).toBe(items?.root)
    expect(cipherWith(1).inspect(bytes)).not.toHaveProperty('excerpts')
  })
})
