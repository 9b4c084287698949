/** An app of a phone with a wallet, and the link that opens a page in the browser of the app. */
export type WalletApp = { readonly name: string; readonly link: string }

/**
 * Returns the apps that open a page by a link; none for a page that is not served over https, which
 * their browsers refuse.
 *
 * Source: https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks, and
 * the link of Coinbase Wallet, https://go.cb-w.com/dapp.
 */
export function walletApps(page: string): readonly WalletApp[] {
  const { protocol, host, pathname, search, href } = new URL(page)
  if (protocol !== 'https:') return []
  return [
    // MetaMask takes the address as it is: it opens an empty page for one with escapes.
    { name: 'MetaMask', link: `https://link.metamask.io/dapp/${host}${pathname}${search}` },
    {
      name: 'Coinbase Wallet',
      link: `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`,
    },
  ]
}
