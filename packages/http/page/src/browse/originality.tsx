import type { ComponentChildren } from 'preact'
import type { Token } from '../../../src/client/responses.ts'
import { useRead } from '../api/use-resource.ts'
import { NoticeBox } from '../parts/notice.tsx'

type Originality = { readonly of: Token['originality'] }

/** Shows the badge of a token that is not original. */
export function OriginalityBadge({ of }: Originality): JSX.Element | undefined {
  if (of === 'original') return undefined
  return (
    <span class={`badge ${of}`} title={originalityMeanings[of]}>
      {badges[of]}
    </span>
  )
}

/** The text of each badge. */
export const badges = {
  copied: 'copy',
  repeated: 'minted again',
  unverified: 'not verified',
} as const

/** The meaning of each badge. */
const originalityMeanings = {
  copied:
    'This token copies the hashes of a memory that was sealed for another creator. Nobody can open it, not even its owner or renters.',
  repeated:
    'The creator has minted the same memory before, and can also open it through the older token.',
  unverified:
    'This server cannot verify for whom the memory was sealed: it was sealed elsewhere, or its sealed bytes are missing here.',
} as const

type NoticeProps = Originality & { readonly children?: ComponentChildren }

/** Warns of a token that is not original, before anything is paid for it. */
export function OriginalityNotice({ of, children }: NoticeProps): JSX.Element | undefined {
  if (of === 'original') return undefined
  return (
    <NoticeBox kind={of === 'copied' ? 'warn' : 'plain'}>
      <p>{originalityMeanings[of]}</p>
      {children}
    </NoticeBox>
  )
}

/** Links from a copy to its original, if this server has it. */
export function OriginalLink({ token }: { readonly token: Token }): JSX.Element | undefined {
  const { contentHash, originality } = token
  const isCopy = originality === 'copied'
  const { value } = useRead('tokens', isCopy ? { contentHash, limit: 100 } : undefined)
  const original = value?.items.find((it) => it.originality === 'original' && it.link !== 'fork')
  if (original === undefined) return undefined
  return (
    <p>
      The original is <a href={`/token/${original.tokenId}`}>No. {original.tokenId}</a>.
    </p>
  )
}
