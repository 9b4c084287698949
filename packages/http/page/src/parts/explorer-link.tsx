import type { JSX } from 'preact'
import { deployment } from '../api/deployment.ts'
import { shortenHash } from '../text/account.ts'
import { Copyable } from './copyable.tsx'

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

/**
 * Returns the address of a transaction or an account in the explorer of the chain; `undefined` without
 * one.
 */
export function explorerAddress(kind: 'tx' | 'address', of: string): string | undefined {
  const explorer = deployment.value?.explorerUrl
  if (explorer == null || !isWebAddress(explorer)) return undefined
  return `${explorer.replace(/\/$/, '')}/${kind}/${of}`
}

/** Returns whether a text is the address of a page or a service of the web. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
