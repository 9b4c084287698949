import { mostEnsAccounts } from '../../../src/api/most-ens-accounts.ts'
import type { EnsNames } from '../../../src/client/responses.ts'
import { deployment } from '../deployment.ts'
import { isPlainName } from '../text/plain-name.ts'
import { addressOf } from './address-of.ts'
import { batchReads } from './batch-reads.ts'
import { getJson } from './get-json.ts'

const names = batchReads({
  most: mostEnsAccounts,
  read: async (accounts) => {
    const path = addressOf('ensNames', { accounts: accounts.join() })
    return (await getJson<EnsNames>(path)).items.map(({ name }) =>
      name !== null && isPlainName(name) ? name : null,
    )
  },
})

/** Returns the primary ENS name of an account, once it is known. */
export const useEnsName = (of: string): string | undefined =>
  names.useValue(deployment.value?.hasEns === true ? of : undefined) ?? undefined
