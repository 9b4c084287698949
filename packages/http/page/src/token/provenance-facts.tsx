import { assetOf } from '../../../src/api/signed-texts.ts'
import type { Deployment, Integrity, Token } from '../../../src/client/responses.ts'
import { deployment } from '../api/deployment.ts'
import type { Problem } from '../api/problem.ts'
import { useRead } from '../api/use-resource.ts'
import { Account } from '../parts/account.tsx'
import { Copyable, CopyableHash, CopyButton } from '../parts/copyable.tsx'
import { Transaction } from '../parts/explorer-link.tsx'
import { Moment } from '../parts/moment.tsx'
import { Fact, Section } from '../parts/section.tsx'
import { Sample } from '../parts/table.tsx'
import { shortenHash } from '../text/account.ts'

/** Shows the record of a memory on the chain, and whether its sealed bytes are intact. */
export function ProvenanceFacts({ token }: { readonly token: Token }): JSX.Element {
  const { contentHash } = token
  return (
    <Section id="provenance" title="Provenance">
      <Sealed token={token} />
      <dl class="facts">
        <Fact name="Content hash" value={<CopyableHash of={contentHash} />} />
        <Fact name="Stored at" value={<StoredAt uri={token.storageUri} />} />
        {token.source !== undefined && (
          <Fact name="Forked by" value={<Account of={token.creator} />} />
        )}
        <Fact name="Owner" value={<Account of={token.owner} />} />
        <Fact
          name="Created"
          value={[<Moment key="time" at={token.timestamp} />, `, in block ${token.block}`]}
        />
        <Fact name="Transaction" value={<Transaction hash={token.txHash} />} />
        <Fact name="Derived from" value={<Origin token={token} />} />
      </dl>
      <Cite token={token} />
    </Section>
  )
}

function StoredAt({ uri }: { readonly uri: string }): JSX.Element {
  return (
    <>
      <Copyable text={uri} shown={shortUri(uri)} what="storage address" />{' '}
      <small class="hint">An IPFS block, named by its SHA-256. Its content is encrypted.</small>
    </>
  )
}

const shortUri = (uri: string) => uri.replace(/0x[0-9a-f]+$/, shortenHash)

function Origin({ token: { parent, link } }: { readonly token: Token }): JSX.Element {
  if (parent === '0') return <>Original (no parent)</>
  const relation = link === 'fork' ? 'a licensed fork' : 'declared by its creator'
  return (
    <>
      <a href={`/token/${parent}`}>No. {parent}</a>, {relation}
    </>
  )
}

function Sealed({ token }: { readonly token: Token }): JSX.Element {
  const { tokenId, erasedAt } = token
  const { value, problem } = useRead('integrity', erasedAt === null ? { tokenId } : undefined)
  const [kind, text] =
    erasedAt === null
      ? describeSealedBytes(token, value, problem)
      : ['warn', 'The sealed bytes were erased for the owner.']
  return (
    <p class={`sealed ${kind}`} role="status">
      {text}
    </p>
  )
}

function describeSealedBytes(
  { originality }: Token,
  value: Integrity | undefined,
  problem: Problem | undefined,
): readonly [kind: string, text: string] {
  if (value === undefined && problem === undefined) return ['plain', 'Checking the sealed bytes…']
  if (value === undefined) return ['warn', 'The sealed bytes could not be checked.']
  if (!value.present) return ['bad', 'The sealed bytes are missing from this server’s storage.']
  if (!value.matches) return ['bad', 'The sealed bytes do not match the chain.']
  const size = value.bytes === null ? '' : ` (${formatBytes(value.bytes)})`
  return originality === 'copied'
    ? ['warn', `Sealed bytes present${size}, but they belong to another memory.`]
    : ['good', `Sealed bytes present${size}, hash matches the chain.`]
}

/** Formats a size in bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB']
  return `${size.toFixed(1)} ${unit}`
}

/** Shows how to cite a memory: for BibTeX, and in words. */
function Cite({ token }: { readonly token: Token }): JSX.Element | undefined {
  if (deployment.value === undefined) return undefined
  const facts = citedFacts(token, deployment.value, location.origin)
  return (
    <details>
      <summary>Cite</summary>
      <Citation name="for BibTeX" text={citeForBibtex(facts)} />
      <Citation name="as a sentence" text={citeInWords(facts)} />
    </details>
  )
}

function Citation({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <Sample text={text} name={name} />
      <p>
        <CopyButton name={`Copy ${name}`} what={`citation ${name}`} read={() => text} />
      </p>
    </>
  )
}

/** The facts that a citation names. */
type Cited = Readonly<ReturnType<typeof citedFacts>>

/** Returns the facts that a citation of a token names. */
export function citedFacts(
  { tokenId, card, creator, contentHash, timestamp, erasedAt }: Token,
  { chainId, registry }: Pick<Deployment, 'chainId' | 'registry'>,
  origin: string,
) {
  const title = erasedAt === null ? card?.title : undefined
  return {
    /** The key of the entry: chain, begin of the registry, and number. */
    key: `heirloom-${chainId}-${registry.slice(2, 10)}-${tokenId}`,
    title: toLine(title ?? `Memory No. ${tokenId}`),
    tokenId,
    creator,
    contentHash,
    /** The year of the mint. */
    year: `${new Date(Number(timestamp) * 1000).getUTCFullYear()}`,
    /** The token in the notation of CAIP-19: chain, registry and number. */
    asset: assetOf({ chainId, registry }, tokenId),
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
