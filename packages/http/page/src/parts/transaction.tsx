import type { JSX } from 'preact'
import { deployment } from '../deployment.ts'
import { shortenHash } from '../text/account.ts'
import { isWebAddress } from '../text/web-address.ts'
import { Copyable } from './copyable.tsx'

/** Shows a transaction in short form, with a link to the explorer of the chain if there is one. */
export function Transaction({ hash }: { readonly hash: string }): JSX.Element {
  const explorer = deployment.value?.explorer
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
