import type { JSX } from 'preact'
import type { Integrity, Token } from '../../../src/client/responses.ts'
import { ask } from '../api/request.ts'
import { useAsked } from '../api/use-resource.ts'
import { Account } from '../parts/account.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Moment } from '../parts/moment.tsx'
import { shortHash } from '../text/account.ts'

/** What the chain records of a memory, and whether its sealed bytes are here. */
export function ProvenanceFacts({ token }: { readonly token: Token }): JSX.Element {
  return (
    <section aria-labelledby="provenance">
      <h2 id="provenance">Provenance</h2>
      <Sealed token={token} />
      <dl class="facts">
        <dt>Content hash</dt>
        <dd>
          <Copyable text={token.contentHash} shown={shortHash(token.contentHash)} what="hash" />
        </dd>
        <dt>Kept at</dt>
        <dd>
          <Copyable
            text={token.storageUri}
            shown={shortUri(token.storageUri)}
            what="storage address"
          />
        </dd>
        <dt>Made by</dt>
        <dd>
          <Account of={token.creator} />
        </dd>
        <dt>Owned by</dt>
        <dd>
          <Account of={token.owner} />
        </dd>
        <dt>Made</dt>
        <dd>
          <Moment at={token.timestamp} />, in block {token.block}
        </dd>
        <dt>Transaction</dt>
        <dd>
          <Copyable text={token.txHash} shown={shortHash(token.txHash)} what="transaction" />
        </dd>
        <dt>Grew from</dt>
        <dd>
          <Origin token={token} />
        </dd>
      </dl>
    </section>
  )
}

const shortUri = (uri: string) => uri.replace(/0x[0-9a-f]+$/, shortHash)

function Origin({ token: { parent, link } }: { readonly token: Token }): JSX.Element {
  if (parent === '0') return <>nothing: it is a root</>
  const how = link === 'fork' ? 'a licensed fork' : 'as its maker states'
  return (
    <>
      <a href={`/token/${parent}`}>No. {parent}</a>, {how}
    </>
  )
}

function Sealed({ token }: { readonly token: Token }): JSX.Element {
  const path = `/api/memory/${token.tokenId}/integrity`
  const { value, problem } = useAsked(path, (signal) => ask<Integrity>(path, signal))
  const isCopy = token.originality === 'copied'
  const [kind, words] = sealedWords(value, { hasFailed: problem !== undefined, isCopy })
  return (
    <p class={`sealed ${kind}`} role="status">
      {words}
    </p>
  )
}

type Circumstances = { readonly hasFailed: boolean; readonly isCopy: boolean }

function sealedWords(
  value: Integrity | undefined,
  { hasFailed, isCopy }: Circumstances,
): readonly [string, string] {
  if (value === undefined) {
    return hasFailed
      ? ['warn', 'Whether the sealed bytes are here could not be found out.']
      : ['plain', 'Looking at the sealed bytes…']
  }
  if (!value.present) return ['bad', 'The sealed bytes are missing from this server’s storage.']
  if (!value.matches) return ['bad', 'The sealed bytes are here, but do not match the chain.']
  const size = value.bytes === null ? '' : ` (${byteWords(value.bytes)})`
  return isCopy
    ? ['warn', `Bytes present${size}, but they are another memory’s.`]
    : ['good', `Bytes present${size}, hash matches the chain.`]
}

/** Returns a size as a person reads it. */
export function byteWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB']
  return `${size.toFixed(1)} ${unit}`
}
