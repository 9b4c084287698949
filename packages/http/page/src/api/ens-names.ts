import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { mostEnsAccounts } from '../../../src/api/most-ens-accounts.ts'
import type { EnsNames } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { deployment } from '../deployment.ts'
import { getJson } from './get-json.ts'

/** The primary names of the accounts that were requested; null for none. */
const known = signal<ReadonlyMap<string, string | null>>(new Map())

/** The accounts that the next request names, and all that some request named. */
const waiting = new Set<string>()
const requested = new Set<string>()

/** Returns the primary ENS name of an account, once it is known; one request names all that a view shows. */
export function useEnsName(of: string): string | undefined {
  const hasEns = deployment.value?.hasEns === true
  useEffect(() => {
    if (!hasEns || requested.has(of)) return
    requested.add(of)
    waiting.add(of)
    if (waiting.size === 1) setTimeout(() => void askAll())
  }, [hasEns, of])
  return known.value.get(of) ?? undefined
}

async function askAll(): Promise<void> {
  while (waiting.size > 0) {
    const accounts = [...waiting].slice(0, mostEnsAccounts)
    const path = withQuery('/api/ens/names', { accounts: accounts.join() })
    try {
      const { items } = await getJson<EnsNames>(path)
      const found = items.map(({ name }, at) => [accounts[at] as string, name] as const)
      known.value = new Map([...known.value, ...found])
    } catch {
      // Without a name an account is shown by its address; the next view asks again.
      for (const account of accounts) requested.delete(account)
    }
    for (const account of accounts) waiting.delete(account)
  }
}
