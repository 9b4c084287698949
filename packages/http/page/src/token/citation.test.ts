import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Token } from '../../../src/client/responses.ts'
import { citedFacts, citeForBibtex, citeInWords, escapeBibtex } from './provenance-facts.tsx'

const registry = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const creator = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const contentHash = `0x${'ab'.repeat(32)}`
const factsOf = (title: string | undefined, erasedAt: string | null = null) => {
  const card = title === undefined ? null : { title }
  const token = { tokenId: '7', card, creator, contentHash, timestamp: '1795000000', erasedAt }
  return citedFacts(token as unknown as Token, { chainId: 1, registry }, 'https://here.example')
}

test('an entry for BibTeX names creator, title, token, chain, hash, year and address', () => {
  expect(citeForBibtex(factsOf('What support taught me'))).toBe(
    [
      '@misc{heirloom-1-5FbDB231-7,',
      '  title = {{What support taught me}},',
      `  author = {{${creator}}},`,
      '  year = {2026},',
      '  howpublished = {Agent memory, Heirloom No.~7},',
      `  note = {eip155:1/erc721:${registry}/7, content hash ${contentHash}},`,
      '  url = {https://here.example/token/7},',
      '}',
    ].join('\n'),
  )
})

test('a citation in words names the same', () => {
  expect(citeInWords(factsOf('What support taught me'))).toBe(
    `${creator}. “What support taught me”. Agent memory, Heirloom No. 7, 2026. eip155:1/erc721:${registry}/7. Content hash ${contentHash}. https://here.example/token/7`,
  )
})

test('a memory without a card, or that was erased, is cited by its number', () => {
  for (const facts of [factsOf(undefined), factsOf('Gone', '1')]) {
    expect(facts.title).toBe('Memory No. 7')
  }
})

/** Reads a value in braces as BibTeX does: up to the brace that closes it. */
function readValue(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(1, at)
  }
  throw new Error('The value has no end.')
}

const named: Readonly<Record<string, string>> = {
  textbackslash: '\\',
  textbraceleft: '{',
  textbraceright: '}',
  textquotedbl: '"',
  textasciitilde: '~',
  textasciicircum: '^',
}
const print = (text: string) =>
  text.slice(1, -1).replace(/\\(?:([a-z]+)\{\}|(.))/g, (_, name, sign) => named[name] ?? sign)

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('{', '}', '\\', '"', '\n', '\r', '%', '@', '$', '#', '&', '_', '~', '^', ','),
    fc.constantFrom('\u202e', '\u2028', '\u0000', 'a', ' '),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
})

describe('any title', () => {
  test('is one value of one entry, which prints as the title', () => {
    fc.assert(
      fc.property(hostile, (title) => {
        const facts = factsOf(title)
        const entry = citeForBibtex(facts)
        expect(entry.split(/\r|\n/)).toHaveLength(8)
        const value = readValue(entry.slice(entry.indexOf('{{')))
        expect(print(value)).toBe(facts.title)
        expect(entry.slice(entry.indexOf('{{') + value.length + 2)).toMatch(/^,\n {2}author = /)
      }),
    )
  })

  test('leaves no sign that TeX gives a meaning', () => {
    fc.assert(
      fc.property(hostile, (title) => {
        const rest = escapeBibtex(title).replaceAll(/\\(?:[a-z]+\{\}|[#$%&_])/g, '')
        expect(rest).not.toMatch(/[\\{}"~^#$%&_]/)
      }),
    )
  })

  test('is one line of words, whose letters keep their order', () => {
    fc.assert(
      fc.property(hostile, (title) => {
        expect(citeInWords(factsOf(title))).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u)
      }),
    )
  })
})
