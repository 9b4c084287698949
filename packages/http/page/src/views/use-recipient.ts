import { useEnsAccount } from '../api/use-ens-account.ts'
import { namedAccounts } from '../wallet/named-accounts.ts'
import { describeRecipient, type Recipient } from './recipient.ts'

type Place = Omit<Parameters<typeof describeRecipient>[1], 'named'>

/**
 * Describes a typed recipient: an address, the name of a development account where the server has
 * them, or a name where the chain has ENS.
 */
export function useRecipient(typed: string, place: Place): Recipient {
  const { name, account, note, isPending } = useEnsAccount(typed)
  if (name === '') return describeRecipient(typed, { ...place, named: namedAccounts() })
  if (account === undefined) return isPending ? { note } : { problem: note }
  const { account: to } = account
  return { ...describeRecipient(to, place), note: `${account.name} is ${to}.` }
}
