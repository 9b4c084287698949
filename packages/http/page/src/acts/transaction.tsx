import type { JSX } from 'preact'
import { Copyable } from '../parts/copyable.tsx'
import { shortenHash } from '../text/account.ts'
import { explorerAddress } from '../text/explorer.ts'

/** Shows a transaction in short form, with a link to the explorer of the chain if there is one. */
export function Transaction({ hash }: { readonly hash: string }): JSX.Element {
  const explorer = explorerAddress('tx', hash)
  return (
    <>
      <Copyable text={hash} shown={shortenHash(hash)} what="transaction" />
      {explorer !== undefined && (
        <>
          {' '}
          <a href={explorer} target="_blank" rel="noreferrer">
            explorer
          </a>
        </>
      )}
    </>
  )
}
