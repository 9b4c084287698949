import type { EnsNames } from '@heirloom/adapters/internal/ens'
import type { Catalogue } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import type { Faucet } from './faucet.ts'
import {
  ensHandlers,
  faucetHandler,
  heirHandler,
  type ReadHeir,
  type ReadWallet,
  relayHandler,
  walletHandler,
} from './operations/accounts.ts'
import { serveOperation, serveOperations } from './operations/serve-operation.ts'
import type { RelayActs } from './relay-acts.ts'
import { x402Routes } from './routes/x402.ts'
import type { PaidActs } from './x402/paid-acts.ts'

/** The parts behind the routes that accounts use. */
export type AccountParts = {
  /** Reads the heirs of accounts; without it there is no operation `heir`. */
  readonly readHeir?: ReadHeir | undefined
  /** Finds whose heir an account is. */
  readonly browsing?: { readonly catalogue: Pick<Catalogue, 'heirOf'> } | undefined
  /** The names of ENS; without them there is no operation `ensNames`. */
  readonly ens?: EnsNames | undefined
  /** Sends what wallets signed; without it there is no operation `relay`. */
  readonly relay?: RelayActs | undefined
  /** Acts in dollars for clients that pay by x402; without it there is no operation `buyByX402`. */
  readonly paidActs?: PaidActs | undefined
  /** The faucet of test dollars; without it there is no operation `faucet`. */
  readonly faucet?: Faucet | undefined
  /** Reads the state of the agent wallet; without it there is no operation `wallet`. */
  readonly wallet?: ReadWallet | undefined
}

/** The longest body of what a wallet signed, in bytes: call data and a signature at their limits. */
const longestAct = 65_536

type PaidParts = Omit<Parameters<typeof x402Routes>[0], 'paidActs'>

/** Registers what accounts use: to act without money for gas, to pay, and to look at themselves. */
export function accountRoutes(server: FastifyInstance, parts: AccountParts & PaidParts): void {
  const { readHeir, browsing, ens, relay, paidActs, faucet, wallet } = parts
  if (readHeir !== undefined) {
    serveOperation(server, 'heir', heirHandler(readHeir, browsing?.catalogue))
  }
  if (ens !== undefined) serveOperations(server, ensHandlers(ens))
  if (relay !== undefined) {
    serveOperation(server, 'relay', relayHandler(relay), { bodyLimit: longestAct })
  }
  if (paidActs !== undefined) server.register(x402Routes({ ...parts, paidActs }))
  if (faucet !== undefined) serveOperation(server, 'faucet', faucetHandler(faucet))
  if (wallet !== undefined) serveOperation(server, 'wallet', walletHandler(wallet))
}
