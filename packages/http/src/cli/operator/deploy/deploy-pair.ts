import { type Deployments, sources } from '@heirloom/adapters/contracts'
import { Failure } from '@heirloom/core'
import { formatEther, type LocalAccount } from 'viem'
import { chooseDollar, describeDollarless, requireChosenDollar } from './choose-dollar.ts'
import {
  type DeploymentRecord,
  type DeployTarget,
  isOtherChain,
  type Pair,
  type SignedRecord,
} from './deployment-record.ts'

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

/**
 * Deploys a pair and records it. The signed transaction is recorded before it is sent, so that the
 * next run can finish an interrupted one with the same nonce, and so at the same addresses.
 *
 * @throws the failures of `deployContracts`, `config/invalid`, `folder/unusable`
 */
export async function deployPair(
  target: DeployTarget,
  wallet: LocalAccount,
  earlier?: SignedRecord,
): Promise<Pair> {
  const { on, files, report, choice, chainId, genesis } = target
  const dollar = earlier === undefined ? await chooseDollar(target, choice) : earlier.dollar
  report(describeCost(chainId, await on.simulate({ wallet: wallet.address, dollar })))
  for (const line of describeDollarless(chainId, dollar)) report(line)
  const { txHash, blockNumber, ...pair } = await on.make({
    wallet,
    dollar,
    ...(earlier && { nonce: earlier.nonce }),
    onSigned: (signed) => {
      const txHashes = [...(earlier?.txHashes ?? []), ...signed.txHashes]
      const { dollar: _, ...rest } = signed
      const bound = dollar && { dollar }
      files.signed.write({ chainId, ...(genesis && { genesis }), ...rest, ...bound, txHashes })
      report(`Sending transaction ${signed.txHashes[0]} from ${signed.deployer}.`)
    },
  })
  const deployer = wallet.address
  return recordPair(target, { pair, deployer, txHash, blockNumber: Number(blockNumber) })
}

type Fate = Awaited<ReturnType<Deployments['fateOf']>>

/**
 * Finishes a deployment that an earlier run signed and did not record. Returns undefined when there
 * is none.
 *
 * @throws the failures of `deployPair`
 */
export async function finishDeployment(
  target: DeployTarget,
  wallet: LocalAccount,
): Promise<Pair | undefined> {
  const { files, report } = target
  const signed = readSignedRecord(target)
  if (signed === undefined) return undefined
  requireChosenDollar(target, target.choice, signed)
  const fate = await awaitFate(target, signed)
  if (fate.kind === 'made') {
    report('An earlier run sent the deployment; nothing was sent again.')
    const { txHash, blockNumber } = fate.making ?? {}
    const { deployer } = signed
    return recordPair(target, {
      pair: fate.pair,
      deployer,
      ...(txHash && { txHash }),
      ...(blockNumber !== undefined && { blockNumber: Number(blockNumber) }),
    })
  }
  if (fate.kind === 'void') {
    report(`The deployment in ${files.signed.path} failed, or another transaction took its place.`)
    return undefined
  }
  refuseOtherWallet(target, signed, wallet)
  report(`The chain never got the deployment in ${files.signed.path}; it is sent again unchanged.`)
  return deployPair(target, wallet, signed)
}

/** Returns the deployment that an earlier run signed for this chain, if any. */
export function readSignedRecord(target: DeployTarget): SignedRecord | undefined {
  const signed = target.files.signed.read()
  return isOtherChain(target, signed?.genesis) ? undefined : signed
}

async function awaitFate({ on, report }: DeployTarget, signed: SignedRecord): Promise<Fate> {
  const fate = await on.fateOf(signed)
  if (fate.kind !== 'sent') return fate
  report(`Waiting for transaction ${fate.txHash}, which an earlier run sent.`)
  await on.settled(fate.txHash)
  const settled = await on.fateOf(signed)
  if (settled.kind !== 'sent') return settled
  throw new Failure('transaction/unconfirmed', { txHash: fate.txHash })
}

function refuseOtherWallet(
  { files }: DeployTarget,
  { deployer }: SignedRecord,
  wallet: LocalAccount,
) {
  if (deployer.toLowerCase() === wallet.address.toLowerCase()) return
  throw new Failure('config/invalid', {
    name: 'AGENT_PRIVATE_KEY',
    problem: `is not the key of ${deployer}, whose deployment is unfinished; use that key, or remove ${files.signed.path}`,
  })
}

type Facts = Pick<DeploymentRecord, 'deployer' | 'txHash' | 'blockNumber'> & { readonly pair: Pair }

/** Records a pair that is on the chain. */
export async function recordPair(target: DeployTarget, { pair, ...facts }: Facts): Promise<Pair> {
  const { files, report, chainId, genesis } = target
  const { compilerVersion: version, standardInput } = await sources()
  const { outputSelection: _, ...settings } = standardInput.settings
  files.record.write({
    chainId,
    ...(genesis && { genesis }),
    ...pair,
    dollar: pair.dollar ?? null,
    ...facts,
    compiler: { version, settings },
    codeHashes: await target.on.codeHashes(pair),
    recordedAt: new Date().toISOString(),
  })
  files.signed.remove()
  const block = facts.blockNumber === undefined ? '' : `, in block ${facts.blockNumber}`
  report(
    `All codes on chain ${chainId} are ours and linked${block}; recorded in ${files.record.path}.`,
  )
  return pair
}
