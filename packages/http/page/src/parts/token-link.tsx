import type { JSX } from 'preact'
import { useTokenTitle } from '../api/token-titles.ts'
import { UserText } from './user-text.tsx'

type Props = {
  readonly tokenId: string
  /** The title, where it is known; it is read otherwise. */
  readonly title?: string
}

/** Links to a token by its number and, once it is known, its title. */
export function TokenLink({ tokenId, title }: Props): JSX.Element {
  const read = useTokenTitle(title === undefined ? tokenId : undefined)
  const shown = title ?? read
  return (
    <a href={`/token/${tokenId}`} title={shown}>
      No. {tokenId}
      {shown !== undefined && (
        <>
          , <UserText of={shown} />
        </>
      )}
    </a>
  )
}
