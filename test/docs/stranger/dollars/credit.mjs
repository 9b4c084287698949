import { readFileSync } from 'node:fs'
import { openWallet } from '@heirloom/http/wallet'
import { privateKeyToAccount } from 'viem/accounts'

const { HEIRLOOM_URL: url, HEIRLOOM_RPC_URL: rpcUrl, REGISTRY: registry } = process.env
const open = (name) => {
  const account = privateKeyToAccount(readFileSync(`${name}.key`, 'utf8'))
  return openWallet({ url, rpcUrl, registry, account, relay: true })
}
const [ada, ben] = [await open('ada'), await open('ben')]
const { tokenId } = JSON.parse(readFileSync('snapshot.json', 'utf8'))
const { dollars } = await ada.withdraw({
  currency: 'dollar',
  to: readFileSync('cleo.address', 'utf8'),
})
process.stdout.write(`withdrew ${dollars.amount}\n`)

// Ben sells what he bought to Cleo, who gives it back to him.
const none = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
await ben.list({ tokenId, ...none, dollars: { ...none, price: 3_000_000n } })
const cleo = await open('cleo')
await cleo.buy(tokenId, { maxDollars: 3_000_000n })
await cleo.transfer(tokenId, { to: ben.address })
await ben.royalty(tokenId, { dollars: 125_000n })
