import type { ContractPair, DeployedPair } from '@heirloom/adapters/internal/acts'
import {
  createClient,
  custom,
  type GetLogsParameters,
  type GetTransactionParameters,
  type PublicClient,
} from 'viem'
import { getBlockNumber, getLogs, getTransaction, getTransactionReceipt } from 'viem/actions'
import { loadDeployment } from '../api/deployment.ts'
import type { ConnectedWallet, Provider } from './connected-wallet.ts'
import { hasRpc, rpcProvider } from './rpc-provider.ts'

/** The chain of the server and its contracts, as the wallet of the client reads them. */
export type Chain = {
  readonly chainId: number
  readonly pair: ContractPair & Pick<DeployedPair, 'forwarder'>
  readonly client: Client
}

type Client = Pick<
  PublicClient,
  'request' | 'getBlockNumber' | 'getLogs' | 'getTransaction' | 'getTransactionReceipt'
>

/** Returns the chain of the server behind a provider. */
export async function openChain(provider: Provider): Promise<Chain> {
  const { chainId, registry, marketplace, forwarder } = await loadDeployment()
  const client = createClient({ transport: custom(provider, { retryCount: 0 }) })
  return {
    chainId,
    pair: { registry, marketplace, forwarder },
    client: {
      request: client.request as Client['request'],
      getBlockNumber: (of) => getBlockNumber(client, of),
      getLogs: ((of: GetLogsParameters) => getLogs(client, of)) as Client['getLogs'],
      getTransactionReceipt: (of) => getTransactionReceipt(client, of),
      getTransaction: ((of: GetTransactionParameters) =>
        getTransaction(client, of)) as Client['getTransaction'],
    },
  }
}

/** Returns the provider for chain reads: the server's chain if it has one, otherwise the wallet. */
export const chainProvider = (wallet: Pick<ConnectedWallet, 'provider'> | undefined): Provider =>
  hasRpc.value || wallet === undefined ? rpcProvider : wallet.provider
