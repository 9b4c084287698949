import fc from 'fast-check'
import { expect, test } from 'vitest'
import { walletApps } from './connect-choices.tsx'

const page = fc
  .tuple(fc.domain(), fc.webPath(), fc.webQueryParameters())
  .map(([host, path, query]) => new URL(`https://${host}${path}?${query}`).href)

test('each link leads to the app, and names the page', () =>
  fc.assert(
    fc.property(page, (address) => {
      const [metaMask, coinbase] = walletApps(address).map(({ link }) => new URL(link))
      expect(metaMask?.host).toBe('link.metamask.io')
      expect(`https://${metaMask?.href.split('/dapp/')[1]}`).toBe(address.replace(/\?$/, ''))
      expect(coinbase?.host).toBe('go.cb-w.com')
      expect([...(coinbase?.searchParams ?? [])]).toEqual([['cb_url', address]])
    }),
  ))

test('no app opens a page without https', () => {
  expect(walletApps('http://127.0.0.1:3000/token/1')).toEqual([])
})
