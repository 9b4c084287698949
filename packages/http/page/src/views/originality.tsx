import type { ComponentChildren, JSX } from 'preact'
import type { Page, Token } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { ask } from '../api/request.ts'
import { useAsked } from '../api/use-resource.ts'
import { Notice } from '../parts/notice.tsx'

/** Marks a token that does not show a memory of its own; an original needs no mark. */
export function OriginalityBadge({
  of,
}: {
  readonly of: Token['originality']
}): JSX.Element | undefined {
  if (of === 'original') return undefined
  return (
    <span class={`badge ${of}`} title={originalityWords[of]}>
      {badges[of]}
    </span>
  )
}

/** The mark itself, in a word or two. */
export const badges = {
  copied: 'copy',
  repeated: 'minted again',
  unverified: 'not verified',
} as const

/** What each mark means. */
const originalityWords = {
  copied:
    'This token copies the hashes of a memory that was sealed for somebody else. Nobody can open it, whoever owns or rents the token.',
  repeated:
    'Its maker had minted the same memory before, and can open it through the other token too.',
  unverified:
    'This server cannot check whom the memory was sealed for: it was sealed elsewhere, or its sealed form is not here.',
} as const

/** Warns of a token that does not show a memory of its own, before anything is paid for it. */
export function OriginalityNotice({
  of,
  children,
}: {
  readonly of: Token['originality']
  readonly children?: ComponentChildren
}): JSX.Element | undefined {
  if (of === 'original') return undefined
  return (
    <Notice kind={of === 'copied' ? 'warn' : 'plain'}>
      <p>{originalityWords[of]}</p>
      {children}
    </Notice>
  )
}

/** Leads from a copy to the memory that it shows, where that is here. */
export function OriginalLink({ token }: { readonly token: Token }): JSX.Element | undefined {
  const { contentHash, originality } = token
  const path = withQuery('/api/memory', { contentHash, limit: 100 })
  const isCopy = originality === 'copied'
  const { value } = useAsked(isCopy ? path : '', (signal) => ask<Page<Token>>(path, signal))
  const original = value?.items.find((it) => it.originality === 'original' && it.link !== 'fork')
  if (original === undefined) return undefined
  return (
    <p>
      The memory itself is <a href={`/token/${original.tokenId}`}>No. {original.tokenId}</a>.
    </p>
  )
}
