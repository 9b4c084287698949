import type { JSX } from 'preact'
import { deployment } from '../deployment.ts'
import { Copyable } from '../parts/copyable.tsx'
import { shortenHash } from '../text/account.ts'
import { isWebAddress } from '../wallet/web-address.ts'

/** Shows a transaction in short form, with a link to the explorer of the chain if there is one. */
export function Transaction({ hash }: { readonly hash: string }): JSX.Element {
  const explorer = deployment.value?.explorerUrl
  return (
    <>
      <Copyable text={hash} shown={shortenHash(hash)} what="transaction" />
      {explorer != null && isWebAddress(explorer) && (
        <>
          {' '}
          <a href={`${explorer.replace(/\/$/, '')}/tx/${hash}`} target="_blank" rel="noreferrer">
            explorer
          </a>
        </>
      )}
    </>
  )
}
