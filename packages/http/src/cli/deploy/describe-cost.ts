import type { Deployments } from '@heirloom/adapters/contracts'
import { formatEther } from 'viem'

type Simulation = Awaited<ReturnType<Deployments['simulate']>>

/** Says what a deployment costs. */
export function costOf(chainId: number, { gas, feePerGas, cost }: Simulation): string {
  const native = `${formatEther(cost)} native tokens of chain ${chainId}`
  return `Deploying takes ${gas} gas at up to ${feePerGas} wei: ${cost} wei, which is ${native}.`
}

/** Says who would pay and what would be made, as far as it is known who would. */
export function prospectOf({ payer, needed }: Simulation): readonly string[] {
  if (payer === undefined) {
    return ['The addresses follow from the wallet; set AGENT_PRIVATE_KEY to see them.']
  }
  const { wallet, balance, pair } = payer
  const verdict = balance < needed ? 'it could not pay' : 'it could pay'
  return [
    `The registry would be ${pair.registry}, the marketplace ${pair.marketplace}.`,
    `The wallet ${wallet} holds ${balance} wei; ${needed} are needed: ${verdict}.`,
  ]
}
