import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { hostServer } from '../process/server.ts'
import { newWallet, requiredBy, shopAt } from './shop.ts'

type Headers = Readonly<Record<string, string>>

/** The price of a day, in millionths of a dollar. */
export const day = 1_000_000n

export const settings = { FAUCET_PER_DAY: '0', RPC_GAS: '3000000' }

/** Returns the options of a request that carries a payment. */
export const paying = (header: string, more: Headers = {}) => ({
  headers: { 'payment-signature': header, ...more },
})

export const codeOf = async (response: Response) =>
  ((await response.json()) as { readonly code?: string }).code

/** A market on a server of its own, and rentals to pay by x402. */
export type Rentals = Awaited<ReturnType<typeof openRentals>>

/** Starts a server whose agent wallet rents tokens out for dollars. */
export async function openRentals() {
  const home = mkdtempSync(join(tmpdir(), 'x402-'))
  const server = await hostServer({ DATA_DIR: home, ...settings })
  const shop = await shopAt(server.url)
  /** Returns the URL of a rental of one day. */
  const rental = (id: string, recipient: Hex, more = '&durationDays=1') =>
    `${shop.url}/api/x402/rent/${id}?recipient=${recipient}${more}`
  return {
    shop,
    rental,
    /** Returns a wallet with test dollars, a token for rent, and what its rental asks for. */
    newRental: async (prices = { rentalPricePerDay: `${day}` }) => {
      const [ada, id] = [newWallet(), await shop.offer(prices)]
      await shop.fund(ada.address)
      const url = rental(id, ada.address)
      const required = requiredBy(await fetch(url))
      const spent = async () => 100_000_000n - (await shop.dollarsOf(ada.address))
      const rents = async () => (await shop.rentalOf(id, ada.address)) > 0n
      return { ada, id, url, required, spent, rents, deposit: required.accepts[0].payTo }
    },
    close: async () => {
      await server.end()
      rmSync(home, { recursive: true })
    },
  }
}
