import { type DollarDomain, dollarDomainOf } from '@heirloom/adapters/internal/acts'
import { isFailure } from '@heirloom/core'
import type { Hex } from 'viem'
import { memoryMarketplaceAbi as abi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import { readNumber } from '../../../../adapters/src/ledger/view.ts'
import type { Deployment } from '../../../src/client/responses.ts'
import { Problem } from '../api/problem.ts'
import type { Chain } from './open-chain.ts'

/**
 * Reads the dollar of the contracts and the domain in which its holders sign from the chain. What the
 * server says of it is only compared.
 *
 * @throws {Problem} when there is none, or it is not what the page shows or would let a wallet sign
 */
export async function readDollar(
  { chainId, client, pair }: Chain,
  shown: Deployment['dollar'],
): Promise<DollarDomain> {
  const view = { address: pair.marketplace, abi, name: 'dollar' }
  const bound = await readNumber(client, view, [])
  if (bound === 0n) throw refused('These contracts have no dollar.', 'dollar/missing')
  const address = (shown?.address ?? '0x0') as Hex
  if (bound !== BigInt(address)) throw otherDollar()
  const dollar = await dollarDomainOf(client, { chainId, address }).catch(explainUnfit)
  if (dollar.symbol !== shown?.symbol) throw otherDollar()
  return dollar
}

function explainUnfit(error: unknown): never {
  if (!isFailure(error, 'config/invalid')) throw error
  throw refused(
    'The dollar signs in another domain than its name and version say.',
    'dollar/other-domain',
  )
}

const otherDollar = () =>
  refused('The server names another dollar than its contracts have.', 'dollar/other')

const refused = (sentence: string, code: string) =>
  new Problem(sentence, 'Nothing was signed. Tell the operator of this server.', { code })
