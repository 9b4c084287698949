import type { JSX } from 'preact'
import { useTokenTitle } from '../api/token-titles.ts'
import { UserText } from './user-text.tsx'

/** Links to a token by its number and, once it is known, its title. */
export function TokenLink({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const title = useTokenTitle(tokenId)
  return (
    <a href={`/token/${tokenId}`} title={title}>
      No. {tokenId}
      {title !== undefined && (
        <>
          , <UserText of={title} />
        </>
      )}
    </a>
  )
}
