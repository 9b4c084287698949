import { nextNonceOf } from '@heirloom/adapters/internal/job-queries'
import type { NodePool, NodeStatus } from '@heirloom/adapters/internal/nodes'
import type { LocalAccount, PublicClient } from 'viem'
import { describeNode } from '../../../observability/log-events.ts'
import { jobFile, openJobStore } from '../../../server/open-job-store.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

const name = 'chain-jobs'

type Input = {
  readonly installation: Installation
  readonly client: PublicClient
  readonly wallet: LocalAccount | undefined
}

/** Checks that the jobs know every transaction of the wallet, and the chain every settled job. */
export async function checkChainJobs({ installation, client, wallet }: Input): Promise<Finding> {
  if (wallet === undefined) return skipped(name, 'there is no agent key')
  const reason = reasonToSkip(installation)
  if (reason !== undefined) return skipped(name, reason)
  const [mined, chainId, genesis] = await Promise.all([
    client.getTransactionCount({ address: wallet.address }),
    client.getChainId(),
    client.getBlock({ blockNumber: 0n }),
  ])
  const lane = `${chainId}:${genesis.hash}:${wallet.address.toLowerCase()}`
  const stored = await readNextNonce(installation, lane)
  // The check of the jobs themselves says why.
  if (stored === undefined) return skipped(name, 'the jobs cannot be read')
  const { known } = stored
  if (known === undefined || mined <= known) {
    return ok(name, 'The jobs know every transaction of the wallet.')
  }
  const sentence = `${mined - known} transactions of the wallet are on the chain and not among the jobs: the jobs are older than the chain, or another program uses the key of the wallet.`
  const advice =
    'Put nothing back over newer jobs: if older ones were put back, put back the newest; else stop the other program.'
  // Elsewhere other programs may use the key, as the operator decides.
  return installation.config.chain.kind === 'embedded'
    ? fail(name, sentence, advice)
    : warn(name, sentence, advice)
}

function reasonToSkip({ config, unavailable, has }: Installation): string | undefined {
  if (config.databaseUrl !== undefined) return undefined
  return unavailable ?? (has(jobFile) ? undefined : 'there are no jobs yet')
}

async function readNextNonce(
  { config, folder }: Installation,
  lane: string,
): Promise<{ readonly known: number | undefined } | undefined> {
  const store = await openJobStore(config, folder).catch(() => undefined)
  if (store === undefined) return undefined
  try {
    return { known: await nextNonceOf(store, lane) }
  } finally {
    await store.close()
  }
}

/** Checks each of several nodes; a node without a substitute is checked as the chain. */
export async function* checkNodes(nodes: NodePool): AsyncGenerator<Finding> {
  if (nodes.status().length === 1) return
  // The first check finds the chain, the second compares all nodes with it.
  await nodes.check()
  await nodes.check()
  const status = nodes.status()
  for (const node of status) yield findingOf(node, status.length)
}

function findingOf(node: NodeStatus, of: number): Finding {
  const sentence = `${describeNode({ ...node, of })}.`
  if (node.state === 'up') return ok(`node-${node.place}`, sentence)
  return warn(
    `node-${node.place}`,
    sentence,
    'Check that node, or remove its address from RPC_URL.',
  )
}
