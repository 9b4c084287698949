import type { Deployment, Token } from '../../../src/client/responses.ts'

/** The facts that a citation names. */
export type Cited = {
  /** The key of the entry: chain, begin of the registry, and number. */
  readonly key: string
  readonly title: string
  readonly tokenId: string
  readonly creator: string
  readonly contentHash: string
  /** The year of the mint. */
  readonly year: string
  /** The token in the notation of CAIP-19: chain, registry and number. */
  readonly asset: string
  readonly address: string
}

/** Returns the facts that a citation of a token names. */
export function citedFacts(
  { tokenId, card, creator, contentHash, timestamp, erasedAt }: Token,
  { chainId, registry }: Pick<Deployment, 'chainId' | 'registry'>,
  origin: string,
): Cited {
  const title = erasedAt === null ? card?.title : undefined
  return {
    key: `heirloom-${chainId}-${registry.slice(2, 10)}-${tokenId}`,
    title: toLine(title ?? `Memory No. ${tokenId}`),
    tokenId,
    creator,
    contentHash,
    year: `${new Date(Number(timestamp) * 1000).getUTCFullYear()}`,
    asset: `eip155:${chainId}/erc721:${registry}/${tokenId}`,
    address: `${origin}/token/${tokenId}`,
  }
}

/** Returns a text on one line, without controls and what orders letters otherwise. */
const toLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

/** Returns a citation as a sentence. */
export const citeInWords = (of: Cited): string =>
  `${of.creator}. “${of.title}”. Agent memory, Heirloom No. ${of.tokenId}, ${of.year}. ${of.asset}. Content hash ${of.contentHash}. ${of.address}`

/** Returns an entry for BibTeX. */
export function citeForBibtex(of: Cited): string {
  const fields = {
    title: `{${escapeBibtex(of.title)}}`,
    author: `{${of.creator}}`,
    year: of.year,
    howpublished: `Agent memory, Heirloom No.~${of.tokenId}`,
    note: `${escapeBibtex(of.asset)}, content hash ${of.contentHash}`,
    url: of.address,
  }
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}},`)
  return [`@misc{${of.key},`, ...lines, '}'].join('\n')
}

/** The signs that TeX gives a meaning, and those that BibTeX counts or ends a value at, as they are written. */
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '"': '\\textquotedbl{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  ...Object.fromEntries([...'#$%&_'].map((sign) => [sign, `\\${sign}`])),
}

/** Returns a text as a part of a value in braces. */
export const escapeBibtex = (text: string): string =>
  text.replace(/[\\{}"~^#$%&_]/g, (sign) => escapes[sign] ?? sign)
