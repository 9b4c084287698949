import { hash, randomBytes } from 'node:crypto'
import { account, isFailure, type SealContext } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { preamble, sizes, writeContext } from './envelope.ts'
import { naclCipher, readHeader, sealingKeyRing } from './nacl.ts'
import { loadSecretbox } from './secretbox.ts'
import { readSections, writeSections } from './sections.ts'
import { context } from './test/bound-cipher.ts'

const otherCreator: SealContext = { ...context, creator: account(`0x${'5'.repeat(40)}`) }
const otherRegistry: SealContext = {
  ...context,
  registry: { ...context.registry, address: account(`0x${'6'.repeat(40)}`) },
}
const contexts = [context, otherCreator, otherRegistry]
const secretbox = loadSecretbox()
const blobs = memoryBlobStore()

/** The length of the longest opened box; only a box of payload is long. */
let longest = 0
const cipher = naclCipher({
  keys: sealingKeyRing([randomBytes(32), randomBytes(32)]),
  documentLimit: 2 ** 20,
  secretbox: {
    ...secretbox,
    open: (input) => {
      longest = Math.max(longest, input.box.length)
      return secretbox.open(input)
    },
  },
})

const document = Buffer.alloc(500, 'the password is swordfish ')

/** Envelopes of one document: two for one context, and one for each other context. */
const envelopes = await Promise.all(
  [context, context, otherCreator, otherRegistry].map(
    async (it) => (await cipher.seal(document, it, { blobs })).sealed,
  ),
)

/** Opens an envelope in each context; returns the outcomes, and whether any payload was opened. */
async function outcomes(sealed: Uint8Array) {
  longest = 0
  const codes = []
  for (const it of contexts) {
    const outcome = await cipher.open(sealed, it, blobs).then(
      () => 'opened',
      (error: unknown) => (isFailure(error) ? error.code : String(error)),
    )
    codes.push(outcome)
  }
  return { codes: new Set(codes), payloadOpened: longest > 200 }
}

const refused = { codes: new Set(['bundle/unreadable']), payloadOpened: false }

const types = [0x8001, 0x8002, 0x8003, 0x8004, 0xff01, 0xff02]

/** The parts of an envelope that an attacker can exchange. */
function partsOf(sealed: Uint8Array) {
  const { length, tag } = readHeader(sealed)
  const list = sealed.subarray(sizes.preamble, length - sizes.tag)
  const sections = [...readSections(list, types).values()]
  return { sections, tag, chunks: sealed.subarray(length) }
}

type Parts = Omit<ReturnType<typeof partsOf>, 'sections'> & {
  readonly sections: readonly { readonly type: number; readonly value: Uint8Array }[]
}

/** Assembles parts into an envelope with correct lengths. */
function assemble({ sections, tag, chunks }: Parts): Uint8Array {
  const list = writeSections(sections)
  const length = sizes.preamble + list.length + tag.length
  return Uint8Array.from(Buffer.concat([preamble(length), list, tag, chunks]))
}

const parts: readonly Parts[] = envelopes.map(partsOf)
const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0
const headOf = (it: Uint8Array) => it.subarray(0, sizes.head)
const envelopeIndex = fc.nat(parts.length - 1)

describe('an attacker who may combine parts of any envelopes', () => {
  test('makes no other envelope that opens, and has no payload opened', () =>
    fc.assert(
      fc.asyncProperty(fc.array(envelopeIndex, { minLength: 7, maxLength: 7 }), async (choice) => {
        const part = (at: number) => parts[choice[at] ?? 0] as Parts
        const sections = types.map((_, at) => part(at).sections[at] as Parts['sections'][number])
        const made = assemble({ sections, tag: part(5).tag, chunks: part(6).chunks })
        const original = envelopes.some((it) => isSame(it, made))
        // Chunks of another envelope are detected only when they are opened.
        const headerIsWhole = envelopes.some((it) => isSame(headOf(it), headOf(made)))
        const { codes, payloadOpened } = await outcomes(made)
        expect(codes.has('opened')).toBe(original)
        if (!headerIsWhole) expect({ codes, payloadOpened }).toEqual(refused)
      }),
      { numRuns: 400 },
    ))

  test('makes none that opens by joining two cut envelopes either', () =>
    fc.assert(
      fc.asyncProperty(
        envelopeIndex,
        envelopeIndex,
        fc.nat(),
        fc.nat(),
        async (one, other, start, end) => {
          const [first, second] = [envelopes[one], envelopes[other]] as [Uint8Array, Uint8Array]
          const [from, to] = [start % first.length, end % second.length]
          const made = Buffer.concat([first.subarray(0, from), second.subarray(to)])
          const isWhole = envelopes.some((it) => isSame(it, made))
          if (!isWhole) expect((await outcomes(made)).codes).not.toContain('opened')
        },
      ),
      { numRuns: 400 },
    ))
})

const [first, second, ofOtherCreator] = parts as unknown as [Parts, Parts, Parts]
const withSection = (it: Parts, at: number, value: Uint8Array): Parts => ({
  ...it,
  sections: it.sections.map((section, index) => (index === at ? { ...section, value } : section)),
})
const sectionOf = (it: Parts, at: number) => it.sections[at]?.value ?? new Uint8Array()

describe('before any payload is opened', () => {
  test('an envelope is refused in every context but its own', async () => {
    for (const [index, it] of [context, context, otherCreator, otherRegistry].entries()) {
      for (const other of contexts.filter((one) => one !== it)) {
        longest = 0
        await expect(
          cipher.open(envelopes[index] as Uint8Array, other, blobs),
        ).rejects.toMatchObject({
          code: 'access/copied',
          facts: {
            chainId: it.registry.chainId,
            registry: it.registry.address,
            creator: it.creator,
          },
        })
        expect(longest).toBeLessThan(200)
      }
    }
  })

  test.each<[string, Parts]>([
    ['context was replaced', withSection(first, 1, writeContext(otherCreator))],
    ['context is that of another', withSection(first, 1, sectionOf(ofOtherCreator, 1))],
    ['key section is that of another', withSection(first, 4, sectionOf(second, 4))],
    ['private section is that of another', withSection(first, 3, sectionOf(second, 3))],
    ['payload section is that of another', withSection(first, 2, sectionOf(second, 2))],
    ['policy was altered', withSection(first, 0, Buffer.of(2))],
    ['tag is that of another', { ...first, tag: second.tag }],
    [
      'bound sections are those of another',
      { ...second, sections: [...first.sections.slice(0, 3), ...second.sections.slice(3)] },
    ],
    [
      'key and tag are those of another',
      { ...withSection(first, 4, sectionOf(second, 4)), tag: second.tag },
    ],
    ['chunks are fewer', { ...first, chunks: first.chunks.subarray(0, -1) }],
    ['chunks are more', { ...first, chunks: Buffer.concat([first.chunks, Buffer.of(0)]) }],
    [
      'sections have an unknown critical one',
      {
        ...first,
        sections: [
          ...first.sections.slice(0, 3),
          { type: 0x9000, value: Buffer.of(1) },
          ...first.sections.slice(3),
        ],
      },
    ],
    [
      'sections have an unauthenticated one',
      { ...first, sections: [{ type: 0x0001, value: Buffer.of(1) }, ...first.sections] },
    ],
    [
      'sections have an unknown critical one that is not bound',
      { ...first, sections: [...first.sections, { type: 0xff03, value: Buffer.of(1) }] },
    ],
    [
      'sections come twice',
      { ...first, sections: [...first.sections, ...first.sections.slice(4)] },
    ],
    ['sections are not ordered', { ...first, sections: first.sections.toReversed() }],
    ['policy is missing', { ...first, sections: first.sections.slice(1) }],
    ['key section is missing', { ...first, sections: first.sections.slice(0, 4) }],
    ['private section is missing', { ...first, sections: first.sections.toSpliced(3, 1) }],
    ['private section is too short', withSection(first, 3, new Uint8Array(39))],
    [
      'header holds bytes after its sections',
      { ...first, tag: Buffer.concat([Buffer.of(0), first.tag]) },
    ],
    [
      'header is longer than 64 KiB',
      { ...first, sections: [{ type: 1, value: new Uint8Array(66_000) }, ...first.sections] },
    ],
  ])('one is refused whose %s', async (_, made) => {
    expect(await outcomes(assemble(made))).toEqual(refused)
  })

  test('one is refused whose header claims any other length', async () => {
    for (const length of [
      0,
      9,
      40,
      41,
      sizes.head - 1,
      sizes.head + 1,
      65_537,
      0x7fff_ffff,
      0xffff_ffff,
    ]) {
      const made = Buffer.from(envelopes[0] as Uint8Array)
      made.writeUInt32BE(length, 5)
      expect(await outcomes(made)).toEqual(refused)
    }
  })
})

test('the payload of another envelope under the same sealing key does not open', async () => {
  const made = assemble({ ...first, chunks: second.chunks })
  expect((await outcomes(made)).codes).not.toContain('opened')
})

describe('compatibility with later versions', () => {
  test('an unknown section that is not critical is authenticated, and skipped', async () => {
    // A later version could write such a section.
    const laterSection = { type: 0x0007, value: Buffer.from('later') }
    const sections = [laterSection, ...first.sections]
    expect(() => readHeader(assemble({ ...first, sections }))).not.toThrow()
    expect(readHeader(assemble({ ...first, sections })).boundSections.length).toBe(
      readHeader(assemble(first)).boundSections.length + 11,
    )
  })

  test('the header shows its sealing key and its context without a key', () => {
    const header = readHeader(envelopes[0] as Uint8Array)
    expect(header.sealingKeyId).toHaveLength(16)
    expect(cipher.inspect((envelopes[0] as Uint8Array).subarray(0, header.length)).context).toEqual(
      context,
    )
    expect(hash('sha256', header.boundSections)).toHaveLength(64)
  })
})
