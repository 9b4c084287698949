import type { JSX } from 'preact'
import type { Integrity, Token } from '../../../src/client/responses.ts'
import { Transaction } from '../acts/transaction.tsx'
import { useRead } from '../api/use-resource.ts'
import { citedFacts, citeForBibtex, citeInWords } from '../cite/citation.ts'
import { deployment } from '../deployment.ts'
import { Account } from '../parts/account.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Moment } from '../parts/moment.tsx'
import { Sample } from '../parts/sample.tsx'
import { shortenHash } from '../text/account.ts'

/** Shows the record of a memory on the chain, and whether its sealed bytes are intact. */
export function ProvenanceFacts({ token }: { readonly token: Token }): JSX.Element {
  return (
    <section aria-labelledby="provenance">
      <h2 id="provenance">Provenance</h2>
      <Sealed token={token} />
      <dl class="facts">
        <dt>Content hash</dt>
        <dd>
          <Copyable text={token.contentHash} shown={shortenHash(token.contentHash)} what="hash" />
        </dd>
        <dt>Stored at</dt>
        <dd>
          <Copyable
            text={token.storageUri}
            shown={shortUri(token.storageUri)}
            what="storage address"
          />{' '}
          <small class="hint">An IPFS block, named by its SHA-256. Its content is encrypted.</small>
        </dd>
        <dt>Creator</dt>
        <dd>
          <Account of={token.creator} />
        </dd>
        <dt>Owner</dt>
        <dd>
          <Account of={token.owner} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Moment at={token.timestamp} />, in block {token.block}
        </dd>
        <dt>Transaction</dt>
        <dd>
          <Transaction hash={token.txHash} />
        </dd>
        <dt>Derived from</dt>
        <dd>
          <Origin token={token} />
        </dd>
      </dl>
      <Cite token={token} />
    </section>
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
  if (token.erasedAt === null) return <SealedBytes token={token} />
  return (
    <p class="sealed warn" role="status">
      The sealed bytes were erased for the owner.
    </p>
  )
}

function SealedBytes({ token }: { readonly token: Token }): JSX.Element {
  const { value, problem } = useRead('integrity', { tokenId: token.tokenId })
  const isCopy = token.originality === 'copied'
  const [kind, text] = describeSealedBytes(value, { hasFailed: problem !== undefined, isCopy })
  return (
    <p class={`sealed ${kind}`} role="status">
      {text}
    </p>
  )
}

type Circumstances = { readonly hasFailed: boolean; readonly isCopy: boolean }

function describeSealedBytes(
  value: Integrity | undefined,
  { hasFailed, isCopy }: Circumstances,
): readonly [string, string] {
  if (value === undefined) {
    return hasFailed
      ? ['warn', 'The sealed bytes could not be checked.']
      : ['plain', 'Checking the sealed bytes…']
  }
  if (!value.present) return ['bad', 'The sealed bytes are missing from this server’s storage.']
  if (!value.matches) return ['bad', 'The sealed bytes do not match the chain.']
  const size = value.bytes === null ? '' : ` (${formatBytes(value.bytes)})`
  return isCopy
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
