import { codeHashesOf, type Deployments, sources } from '@heirloom/adapters/contracts'
import { Failure } from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { isElsewhere, type Pair, type Site } from './find-pair.ts'
import type { DeploymentRecord, SignedRecord } from './deployment-record.ts'
import { costOf } from './describe-cost.ts'

/**
 * Deploys a pair and records it. The signature is kept before anything is sent, so that a run that
 * is cut off is finished by the next one, under the same number and thus at the same addresses.
 *
 * @throws what `deployContracts` may fail with, `config/invalid`, `folder/unusable`
 */
export async function newPair(
  site: Site,
  wallet: LocalAccount,
  earlier?: SignedRecord,
): Promise<Pair> {
  const { on, files, say, chainId, genesis } = site
  say(costOf(chainId, await on.simulate(wallet.address)))
  const { txHash, blockNumber, ...pair } = await on.make({
    wallet,
    ...(earlier && { nonce: earlier.nonce }),
    onSigned: (signed) => {
      const txHashes = [...(earlier?.txHashes ?? []), ...signed.txHashes]
      files.signed.write({ chainId, ...(genesis && { genesis }), ...signed, txHashes })
      say(`Sending transaction ${signed.txHashes[0]} from ${signed.deployer}.`)
    },
  })
  const deployer = wallet.address
  return recorded(site, { pair, deployer, txHash, blockNumber: Number(blockNumber) })
}

type Fate = Awaited<ReturnType<Deployments['fateOf']>>

/**
 * Finishes what an earlier run signed and did not record; absent when there is nothing to finish.
 *
 * @throws what `newPair` may fail with
 */
export async function finishedPair(site: Site, wallet: LocalAccount): Promise<Pair | undefined> {
  const { files, say } = site
  const signed = signedHere(site)
  if (signed === undefined) return undefined
  const fate = await settledFate(site, signed)
  if (fate.kind === 'made') {
    say('An earlier run sent the deployment; nothing was sent again.')
    const { txHash, blockNumber } = fate.making ?? {}
    const { deployer } = signed
    return recorded(site, {
      pair: fate.pair,
      deployer,
      ...(txHash && { txHash }),
      ...(blockNumber !== undefined && { blockNumber: Number(blockNumber) }),
    })
  }
  if (fate.kind === 'void') {
    say(`The deployment in ${files.signed.path} failed, or another transaction took its place.`)
    return undefined
  }
  refuseOtherWallet(site, signed, wallet)
  say(`The chain never got the deployment in ${files.signed.path}; it is sent again as the same.`)
  return newPair(site, wallet, signed)
}

/** Returns what an earlier run signed for this very chain. */
export function signedHere(site: Site): SignedRecord | undefined {
  const signed = site.files.signed.read()
  return isElsewhere(site, signed?.genesis) ? undefined : signed
}

async function settledFate({ on, say }: Site, signed: SignedRecord): Promise<Fate> {
  const fate = await on.fateOf(signed)
  if (fate.kind !== 'sent') return fate
  say(`Waiting for transaction ${fate.txHash}, which an earlier run sent.`)
  await on.settled(fate.txHash)
  const settled = await on.fateOf(signed)
  if (settled.kind !== 'sent') return settled
  throw new Failure('transaction/unconfirmed', { txHash: fate.txHash })
}

function refuseOtherWallet({ files }: Site, { deployer }: SignedRecord, wallet: LocalAccount) {
  if (deployer.toLowerCase() === wallet.address.toLowerCase()) return
  throw new Failure('config/invalid', {
    name: 'AGENT_PRIVATE_KEY',
    problem: `is not the key of ${deployer}, whose deployment is unfinished; use that key, or remove ${files.signed.path}`,
  })
}

type Facts = Pick<DeploymentRecord, 'deployer' | 'txHash' | 'blockNumber'> & { readonly pair: Pair }

/** Records a pair that the chain is known to have. */
export async function recorded(site: Site, { pair, ...facts }: Facts): Promise<Pair> {
  const { files, say, chainId, genesis } = site
  const { compilerVersion: version, standardInput } = await sources()
  const { outputSelection: _, ...settings } = standardInput.settings
  files.record.write({
    chainId,
    ...(genesis && { genesis }),
    ...pair,
    ...facts,
    compiler: { version, settings },
    codeHashes: codeHashesOf(pair),
    recordedAt: new Date().toISOString(),
  })
  files.signed.remove()
  const block = facts.blockNumber === undefined ? '' : `, in block ${facts.blockNumber}`
  say(
    `Both codes on chain ${chainId} are ours and linked${block}; recorded in ${files.record.path}.`,
  )
  return pair
}
