import { deployment } from '../api/deployment.ts'
import { CopyableHash } from './copyable.tsx'

/** Shows a transaction in short form, with a link to the explorer of the chain if there is one. */
export function Transaction({ hash }: { readonly hash: string }): JSX.Element {
  return (
    <>
      <CopyableHash of={hash} what="transaction" />
      <ExplorerLink kind="tx" of={hash} />
    </>
  )
}

type LinkProps = { readonly kind: 'tx' | 'address'; readonly of: string }

/** Links to a transaction or an account in the explorer of the chain, if there is one. */
export function ExplorerLink({ kind, of }: LinkProps): JSX.Element | undefined {
  const explorer = deployment.value?.explorerUrl
  if (explorer == null || !isWebAddress(explorer)) return undefined
  const address = `${explorer.replace(/\/$/, '')}/${kind}/${of}`
  return (
    <>
      {' '}
      <a href={address} target="_blank" rel="noreferrer">
        explorer
      </a>
    </>
  )
}

/** Returns whether a text is the address of a page or a service of the web. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
