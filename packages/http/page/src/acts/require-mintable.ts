import type { Deployment } from '../../../src/client/responses.ts'
import { shortestTime } from '../../../src/wallet/check-seal.ts'
import { Problem } from '../api/problem.ts'
import { isSameAccount, shortenAccount } from '../text/account.ts'
import type { UnmintedSeal } from './unminted-seals.ts'

type Place = Pick<Deployment, 'chainId' | 'registry'> & { readonly account: string }

/**
 * Refuses a mint whose token would open nothing.
 *
 * @throws {Problem}
 */
export function requireMintable(seal: UnmintedSeal, { account, ...here }: Place): void {
  if (!isSameAccount(seal.creator, account)) {
    throw new Problem(
      `The memory is sealed for ${shortenAccount(seal.creator)}, and nobody could open a token that another wallet mints.`,
      'Nothing was paid. Connect that wallet.',
      { code: 'seal/other-wallet' },
    )
  }
  if (seal.chainId !== here.chainId || !isSameAccount(seal.registry, here.registry)) {
    throw new Problem(
      'The memory is sealed for other contracts than this server has now.',
      'Nothing was paid. Seal it again.',
      { code: 'seal/other-registry' },
    )
  }
  if (seal.expiresAt < Date.now() + shortestTime) {
    throw new Problem(
      'The time to mint this sealed memory is over.',
      'Nothing was paid. Seal it again from its file.',
      { code: 'seal/expired' },
    )
  }
}
