import { mostTitledTokens } from '../../../src/api/bounds.ts'
import { batchReads } from '../api/batch-reads.ts'
import { readNow } from '../api/get-json.ts'
import { UserText } from './user-text.tsx'

type Props = {
  readonly tokenId: string
  /** The title, where it is known; it is read otherwise. */
  readonly title?: string
  /** The grant by which the visitor reads it, where there is one. */
  readonly grant?: string
}

/** Links to a token by its number and, once it is known, its title. */
export function TokenLink({ tokenId, title, grant }: Props): JSX.Element {
  const read = useTokenTitle(title === undefined ? tokenId : undefined)
  const shown = title ?? read
  return (
    <a href={`/token/${tokenId}${grant === undefined ? '' : `?grant=${grant}`}`} title={shown}>
      No. {tokenId}
      {shown !== undefined && (
        <>
          , <UserText of={shown} />
        </>
      )}
    </a>
  )
}

/** The name of a memory that shows no title. */
export const untitled = 'Untitled memory'

const titles = batchReads({
  most: mostTitledTokens,
  read: async (tokenIds) => {
    const { items } = await readNow('titles', { tokenIds: tokenIds.join() })
    return items.map(({ title }) => title ?? untitled)
  },
})

/** Returns what a token is called, once it is known. */
const useTokenTitle = titles.useValue
