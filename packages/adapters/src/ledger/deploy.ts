import type { Hex, LocalAccount } from 'viem'
import { ask, type Chain, connect } from './connection.ts'
import { memoryMarketplaceBytecode } from './contracts.generated.ts'
import { type ContractPair, pairOf } from './pair.ts'
import { sender } from './sender.ts'

/**
 * Deploys the marketplace, which deploys its registry in the same transaction.
 *
 * @throws `wallet/short`, `ledger/unavailable`, `transaction/unconfirmed`, `transaction/reverted`
 */
export async function deployContracts({
  chain,
  wallet,
}: {
  readonly chain: Chain | URL
  readonly wallet: LocalAccount
}): Promise<ContractPair & { readonly txHash: Hex }> {
  const client = connect(chain)
  const { contractAddress, transactionHash } = await sender({ client, wallet }).send({
    operation: 'deploy',
    data: memoryMarketplaceBytecode,
  })
  const pair = await pairOf(client, contractAddress ?? '0x')
  return { ...pair, txHash: transactionHash }
}

/**
 * Returns the contract pair of an embedded chain, whose first transaction is always their
 * deployment; deploys them when the chain is new.
 *
 * @throws what `deployContracts` may fail with
 */
export async function embeddedContracts(parts: {
  readonly chain: Chain
  readonly wallet: LocalAccount
}): Promise<ContractPair> {
  const client = connect(parts.chain)
  const deployed = await ask('eth_getBlockByNumber', async () => {
    if ((await client.getBlockNumber()) === 0n) return undefined
    const { transactions } = await client.getBlock({ blockNumber: 1n })
    return client.getTransactionReceipt({ hash: transactions[0] ?? '0x' })
  })
  if (deployed === undefined) return deployContracts(parts)
  return pairOf(client, deployed.contractAddress ?? '0x')
}

/**
 * Returns the pair deployed at given addresses, after checking that they belong together.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
export async function existingContracts({
  chain,
  marketplace,
}: {
  readonly chain: Chain | URL
  readonly marketplace: Hex
}): Promise<ContractPair> {
  return pairOf(connect(chain), marketplace)
}
