import type { Deployments } from '@heirloom/adapters/contracts'
import { formatEther } from 'viem'

type Simulation = Awaited<ReturnType<Deployments['simulate']>>

/** Describes the cost of a deployment in one sentence. */
export function describeCost(chainId: number, { gas, feePerGas, cost }: Simulation): string {
  const native = `${formatEther(cost)} native tokens of chain ${chainId}`
  return `Deploying takes ${gas} gas at up to ${feePerGas} wei: ${cost} wei, which is ${native}.`
}

/** Describes the addresses to be deployed, and the paying wallet if there is one. */
export function describePayer({ payer, needed }: Simulation): readonly string[] {
  if (payer === undefined) {
    return [
      'The addresses follow from the wallet; set AGENT_PRIVATE_KEY or AGENT_KEY_SERVICE to see them.',
    ]
  }
  const { wallet, balance, pair } = payer
  const verdict = balance < needed ? 'it could not pay' : 'it could pay'
  return [
    `The registry would be ${pair.registry}, the marketplace ${pair.marketplace}.`,
    `The wallet ${wallet} holds ${balance} wei; ${needed} are needed: ${verdict}.`,
  ]
}
