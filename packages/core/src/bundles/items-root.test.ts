import { createHash, createHmac, hash as digestOf, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { salt } from '../values/hex.ts'
import { itemsOf } from './items.ts'
import { type CommittedExcerpt, isUnderRoot, itemsRoot, rootOfExcerpt } from './items-root.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => digestOf('sha256', bytes, 'buffer')
const encode = (text: string) => new TextEncoder().encode(text)

const salts = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => salt(`0x${Buffer.from(bytes).toString('hex')}`))
const saltOf = (seed: number) => salt(`0x${digestOf('sha256', `salt ${seed}`, 'hex')}`)

const documents = fc
  .dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), {
    minKeys: 1,
    maxKeys: 6,
  })
  .map((data) => encode(JSON.stringify({ data, metadata: { category: 'notes' } })))

const rootOf = (document: Uint8Array, of: ReturnType<typeof saltOf>) => {
  const made = itemsRoot(document, { salt: of, sha256 })
  if (made === undefined) throw new Error('The document has no root.')
  return made
}

const prove = (document: Uint8Array, of: ReturnType<typeof saltOf>, pointer: string) =>
  rootOf(document, of).prove(pointer) as CommittedExcerpt

describe('the root of a document', () => {
  test('is that of the format, for ever', () => {
    const document = encode('{"data":{"notes":["a","b"]},"metadata":{"category":"x"}}')
    const of = saltOf(0)
    const info = 'items/1'
    const key = Buffer.from(hkdfSync('sha256', Buffer.from(of.slice(2), 'hex'), '', info, 32))
    const mac = (text: string) => createHmac('sha256', key).update(text).digest()
    const sum = (...parts: Uint8Array[]) =>
      parts.reduce((it, part) => it.update(part), createHash('sha256')).digest()
    const leaf = (pointer: string, value: string) => {
      const lengths = Buffer.alloc(12)
      lengths.writeUInt32BE(pointer.length, 0)
      lengths.writeBigUInt64BE(BigInt(value.length), 4)
      const [four, eight] = [lengths.subarray(0, 4), lengths.subarray(4)]
      return sum(Buffer.of(0), mac(pointer), four, Buffer.from(pointer), eight, Buffer.from(value))
    }
    const leaves = [
      leaf('/data/notes/0', '"a"'),
      leaf('/data/notes/1', '"b"'),
      leaf('/data/notes', '["a","b"]'),
      leaf('/data', '{"notes":["a","b"]}'),
      leaf('/metadata/category', '"x"'),
      leaf('/metadata', '{"category":"x"}'),
      ...[0, 1].map((at) => sum(Buffer.of(2), mac(`dummy/${at}`))),
    ].toSorted(Buffer.compare)
    let level: Buffer[] = leaves
    while (level.length > 1) {
      const below = level
      level = Array.from({ length: below.length / 2 }, (_, at) =>
        sum(Buffer.of(1), below[2 * at] as Buffer, below[2 * at + 1] as Buffer),
      )
    }
    expect(rootOf(document, of).root).toBe(`0x${level[0]?.toString('hex')}`)
    expect(rootOf(document, of).root).toMatchInlineSnapshot(
      `"0xf82ed1dd85d3b70694210d8ce8453929b5d581fbe2cc643194f2c015ae1bd7db"`,
    )
  })

  test('has its leaves in the order of their hashes, also of those that begin alike', () => {
    const weak = (bytes: Uint8Array) => Uint8Array.from(sha256(bytes)).fill(0, 0, 6)
    const notes = Array.from({ length: 40 }, (_, at) => `note ${at}`)
    const document = encode(JSON.stringify({ data: { notes }, metadata: { category: 'x' } }))
    const made = itemsRoot(document, { salt: saltOf(1), sha256: weak })
    const excerpts = (itemsOf(document) ?? []).map(({ pointer }) => made?.prove(pointer))
    const leafOf = ({ salt, pointer, value }: CommittedExcerpt) => {
      const lengths = Buffer.alloc(12)
      lengths.writeUInt32BE(pointer.length, 0)
      lengths.writeUInt32BE(value.length, 8)
      const head = Buffer.concat([Buffer.of(0), Buffer.from(salt.slice(2), 'hex')])
      const named = [head, lengths.subarray(0, 4), Buffer.from(pointer), lengths.subarray(4)]
      return Buffer.from(weak(Buffer.concat([...named, Buffer.from(value)]))).toString('hex')
    }
    const leaves = excerpts
      .flatMap((it) => it ?? [])
      .toSorted((one, other) => one.index - other.index)
      .map(leafOf)
    expect(leaves).toHaveLength(44)
    expect(leaves).toEqual(leaves.toSorted())
  })

  test('commits to each item, and each has a proof', () => {
    fc.assert(
      fc.property(documents, salts, (document, of) => {
        const { root, prove } = rootOf(document, of)
        expect(rootOf(Uint8Array.from(document), of).root).toBe(root)
        for (const { pointer, start, end } of itemsOf(document) ?? []) {
          const excerpt = prove(pointer) as CommittedExcerpt
          expect(encode(excerpt.value)).toEqual(document.subarray(start, end))
          expect(isUnderRoot(excerpt, root, sha256)).toBe(true)
        }
        expect(prove('')).toBeUndefined()
        expect(prove('/data/ none')).toBeUndefined()
      }),
    )
  })

  test('differs for another salt and for another document', () => {
    fc.assert(
      fc.property(documents, documents, salts, salts, (document, other, one, two) => {
        const roots = [rootOf(document, one), rootOf(document, two), rootOf(other, one)]
        const isSame = Buffer.compare(document, other) === 0
        expect(new Set(roots.map(({ root }) => root)).size).toBe(
          3 - Number(one === two) - Number(isSame),
        )
      }),
    )
  })

  test('is none without items', () => {
    for (const text of ['not JSON', '[1]', '{"data":{"a":1,"a":2}}']) {
      expect(itemsRoot(encode(text), { salt: saltOf(1), sha256 })).toBeUndefined()
    }
    expect(rootOf(encode('{}'), saltOf(1)).root).toMatch(/^0x[0-9a-f]{64}$/)
  })
})

const document = encode(
  JSON.stringify({
    data: { notes: Array.from({ length: 9 }, (_, at) => ({ at, text: `note ${at}` })) },
    metadata: { category: 'notes' },
  }),
)
const zeros = `0x${'00'.repeat(32)}` as const

/** Changes a proof in one way that a liar could try. */
const lies = fc.constantFrom<(it: CommittedExcerpt, other: CommittedExcerpt) => CommittedExcerpt>(
  (it) => ({ ...it, value: `${it.value} ` }),
  (it, other) => ({ ...it, value: `${other.value}.` }),
  (it, other) => ({ ...it, pointer: `${other.pointer}.` }),
  (it) => ({ ...it, pointer: it.pointer.slice(0, -1) }),
  // The same bytes, cut elsewhere: the lengths in the leaf tell them apart.
  (it) => ({ ...it, pointer: it.pointer + it.value.slice(0, 1), value: it.value.slice(1) }),
  (it) => ({ ...it, salt: zeros }),
  (it) => ({ ...it, salt: it.salt.toUpperCase().replace('X', 'x') as `0x${string}` }),
  (it, other) => ({
    ...it,
    salt: `${other.salt.slice(0, -1)}${other.salt.endsWith('0') ? 1 : 0}` as `0x${string}`,
  }),
  (it) => ({ ...it, index: it.index ^ 1 }),
  (it) => ({ ...it, index: it.index + 2 ** it.path.length }),
  (it) => ({ ...it, index: -it.index - 1 }),
  (it) => ({ ...it, index: it.index + 0.5 }),
  (it) => ({ ...it, index: it.index >> 1, path: it.path.slice(1) }),
  (it) => ({ ...it, path: it.path.slice(0, -1) }),
  (it) => ({ ...it, path: [] }),
  (it) => ({ ...it, path: [...it.path, zeros] }),
  (it) => ({ ...it, path: [zeros, ...it.path], index: it.index * 2 }),
  (it) => ({ ...it, path: it.path.toReversed().map((hash, at) => (at === 0 ? zeros : hash)) }),
  (it) => ({ ...it, path: it.path.map((hash) => hash.slice(0, -2) as `0x${string}`) }),
)

describe('a proof', () => {
  test('of anything else never leads to the root', () => {
    const { root, prove } = rootOf(document, saltOf(2))
    const excerpts = (itemsOf(document) ?? []).map(
      ({ pointer }) => prove(pointer) as CommittedExcerpt,
    )
    const chosen = fc.constantFrom(...excerpts)
    fc.assert(
      fc.property(chosen, chosen, lies, (excerpt, other, lie) => {
        expect(isUnderRoot(lie(excerpt, other), root, sha256)).toBe(false)
      }),
    )
  })

  test('cannot present a node as a leaf, or a leaf as a node', () => {
    const { root, prove } = rootOf(document, saltOf(2))
    const { path, index, ...excerpt } = prove('/data/notes/0') as CommittedExcerpt
    // A leaf whose bytes are those of a node: 00 in front tells it apart.
    const below = rootOfExcerpt({ ...excerpt, index, path: [] }, sha256)
    const node = `${below.slice(2)}${path[0]?.slice(2)}`
    const forged = { pointer: '', value: node, salt: below, index: index >> 1, path: path.slice(1) }
    expect(isUnderRoot(forged, root, sha256)).toBe(false)
    // The first two hashes of a node as the salt and the start of a leaf.
    const cut = { ...forged, salt: path[0] as `0x${string}`, value: '' }
    expect(isUnderRoot(cut, root, sha256)).toBe(false)
  })
})

test('a leaf cannot be read as another item by a longer salt', () => {
  // The value holds what a pointer and a value look like in a leaf.
  const inside = '\\u0000/data/b'
  const crafted = encode(`{"data":{"a":"${inside}"},"metadata":{}}`)
  const { root, prove } = rootOf(crafted, saltOf(5))
  const honest = prove('/data/a') as CommittedExcerpt
  const written = Buffer.concat([
    Buffer.from(honest.salt.slice(2), 'hex'),
    Buffer.from('00000007', 'hex'),
    Buffer.from('/data/a'),
  ])
  const salt = `0x${written.toString('hex')}` as const
  for (const value of [honest.value, '']) {
    expect(isUnderRoot({ ...honest, salt, pointer: '', value }, root, sha256)).toBe(false)
  }
})

describe('a public root with proofs', () => {
  test('does not confirm a guess of a hidden item', () => {
    const secret = (answer: string) =>
      encode(`{"data":{"shown":"hello","votes":"${answer}"},"metadata":{"category":"x"}}`)
    const { prove } = rootOf(secret('yes'), saltOf(3))
    const shown = prove('/data/shown') as CommittedExcerpt
    const published = new Set<string>([...shown.path, shown.salt])
    const known = [zeros, shown.salt, ...shown.path, rootOf(secret('yes'), saltOf(3)).root]
    for (const guess of ['yes', 'no'].map((it) => `"${it}"`)) {
      for (const salt of known) {
        const leaf = { pointer: '/data/votes', value: guess, salt, index: 0, path: [] }
        expect(published.has(rootOfExcerpt(leaf, sha256))).toBe(false)
      }
    }
  })

  test('hides the place of an item in the document', () => {
    const pointers = ['/data/notes/0/at', '/data/notes/8/text', '/metadata/category']
    const runs = 200
    const found = Array.from({ length: runs }, (_, seed) => {
      const { prove } = rootOf(document, saltOf(seed))
      return pointers.map((pointer) => prove(pointer)?.index ?? -1)
    })
    const leaves = 32
    for (const at of pointers.keys()) {
      const places = found.map((it) => it[at] ?? -1)
      const mean = places.reduce((sum, it) => sum + it, 0) / runs
      // The mean of so many uniform places has a deviation of 0.65 around 15.5.
      expect(Math.abs(mean - (leaves - 1) / 2)).toBeLessThan(2.6)
      expect(new Set(places).size).toBeGreaterThan(leaves - 3)
    }
  })

  test('tells the number of items within a factor of two', () => {
    const lengthOf = (count: number) => {
      const list = Array.from({ length: count }, (_, at) => at)
      const text = JSON.stringify({ a: 1, list: count === 0 ? 'none' : list })
      return prove(encode(text), saltOf(4), '/a').path.length
    }
    expect([0, 1, 2, 3, 6, 7, 30].map(lengthOf)).toEqual([1, 2, 2, 3, 3, 4, 5])
  })
})
